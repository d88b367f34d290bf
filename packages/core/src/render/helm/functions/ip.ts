/** The bytes of an IP address as net.ParseIP reads it: four for IPv4 (also when written as IPv6), else sixteen. */
export function addressBytes(text: string): Uint8Array | undefined {
  const four = ipv4(text)
  if (four !== undefined) return Uint8Array.from(four)
  const six = ipv6(text)
  if (six === undefined) return undefined
  const mapped = six.slice(0, 10).every((byte) => byte === 0) && six[10] === 255 && six[11] === 255
  return Uint8Array.from(mapped ? six.slice(12) : six)
}

function ipv4(text: string): number[] | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  const numbers = parts.map((part) => (/^(0|[1-9]\d{0,2})$/.test(part) ? Number(part) : 256))
  return numbers.every((number) => number <= 255) ? numbers : undefined
}

function ipv6(text: string): number[] | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const groups = halves.map((half) => (half === '' ? [] : hexGroups(half)))
  const [head, tail] = groups
  if (head === undefined || groups.includes(undefined)) return undefined
  if (halves.length === 1) return head.length === 16 ? head : undefined
  const missing = 16 - head.length - tail!.length
  return missing >= 2 ? [...head, ...new Array<number>(missing).fill(0), ...tail!] : undefined
}

function hexGroups(text: string): number[] | undefined {
  const out: number[] = []
  const parts = text.split(':')
  for (const [i, part] of parts.entries()) {
    const four = i === parts.length - 1 && part.includes('.') ? ipv4(part) : undefined
    if (four !== undefined) out.push(...four)
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      const value = Number.parseInt(part, 16)
      out.push(value >> 8, value & 255)
    } else return undefined
  }
  return out
}
