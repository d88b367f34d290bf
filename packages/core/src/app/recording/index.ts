// recording: a sync as one file without secrets, and the same sync run again from it.
// In: the inputs of operate, the API server's answers. Out: a SyncRecording, or where a replay differs from it.
// Never: files, values of Secrets, sources' parameters.

export { type ParsedRecording, parseRecording } from './parse.ts'
export { type RecordedSettings, SyncRecorder } from './record.ts'
export { type Replay, type ReplayDifference, type ReplayedBeat, replaySync } from './replay.ts'
export {
  type RecordedBeat,
  type RecordedStep,
  recordingFormat,
  recordingVersion,
  type SyncRecording,
} from './types.ts'
