import type { Distribution } from './distribute.ts';
import type { Place } from './table-places.ts';

const placeTexts: Readonly<Record<Place, string>> = {
  organization: 'by org_id',
  reference: 'on every node',
  joined: 'on the coordinator, known to Citus',
  local: 'on the coordinator',
};

/** What is to be moved, or was, in lines for people. */
export function distributionText({ citus, workers, tables, functions }: Distribution, isApplied: boolean): string {
  const moved = tables.filter(({ isDone }) => !isDone);
  const lines = [`Citus ${citus}, ${workers} workers`];
  for (const place of ['organization', 'reference', 'joined', 'local'] as const) {
    const names = tables
      .filter((table) => table.place === place)
      .map(({ name, isDone }) => (isDone ? name : `+${name}`));
    if (names.length > 0) lines.push(`${placeTexts[place]} (${names.length}): ${names.join(', ')}`);
  }
  if (functions.length > 0) lines.push(`functions (${functions.length}): ${functions.join(', ')}`);
  const verb = isApplied ? 'moved' : 'to move';
  lines.push(
    moved.length === 0
      ? 'Every table is in its place.'
      : `${moved.length} ${moved.length === 1 ? 'table' : 'tables'} ${verb}.`,
  );
  return `${lines.join('\n')}\n`;
}
