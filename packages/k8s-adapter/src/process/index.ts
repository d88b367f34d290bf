// process: whatever starts a program.
// In: a program, arguments, an environment. Out: its output and status. Never: a shell, secrets on a command line.
export { findProgram } from './find.ts'
export {
  type GitProgram,
  type GitRunOptions,
  gitProgram,
  isAtLeast,
  openGitProgram,
} from './git.ts'
export { programJq } from './jq.ts'
export { type RunOptions, type RunResult, runProgram, runProgramSync } from './run.ts'
