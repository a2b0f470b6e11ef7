/** Who has to approve, above the list of their names. */
export function approversInWords(type: string | undefined, count: number): string {
  if (count === 0) return 'Needs approval by an administrator.';
  return type === 'ALL' ? 'Needs approval by all of:' : 'Needs approval by one of:';
}
