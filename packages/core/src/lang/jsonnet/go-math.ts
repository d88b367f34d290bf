/** x to the power y. */
export function pow(x: number, y: number): number {
  return x ** y
}

export function exp(x: number): number {
  return Math.exp(x)
}

export function log(x: number): number {
  return Math.log(x)
}
