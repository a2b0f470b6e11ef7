/** Somebody else moved the run on; nothing of the transaction is kept. */
export class RunMoved extends Error {
  constructor(runId: string) {
    super(`The run ${runId} has moved on`);
    this.name = 'RunMoved';
  }
}
