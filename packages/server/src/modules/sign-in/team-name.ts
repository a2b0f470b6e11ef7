/** Replaces characters that addresses cannot carry (`; # / ?`) by a dash. */
export function toTeamName(group: string): string {
  const name = group
    .normalize('NFC')
    .replace(/[;#/?]/g, '-')
    .trim()
    .slice(0, 200)
    .trim();
  return name.length >= 2 ? name : `${name || 'group'} team`;
}
