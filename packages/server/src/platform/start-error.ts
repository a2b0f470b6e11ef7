/** The process cannot start. The message is one sentence about the problem and the remedy; no stack is shown. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
