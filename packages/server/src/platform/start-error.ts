/** The start cannot go on. The message is one sentence about what is wrong and what to do; nobody needs a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
