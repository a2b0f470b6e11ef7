/** Says how far a proof has come, if `PORTOLAN_TEST_REPORT` is set: long ones take hours. */
export function reportProof(words: string): void {
  if (process.env['PORTOLAN_TEST_REPORT'] !== undefined) process.stdout.write(`${words}\n`);
}
