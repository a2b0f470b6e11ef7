/** The selected rows by key, kept by the screen that acts on them. */
export interface RowSelection {
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
}

/** Adds or removes a row. */
export function toggled(selected: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** Adds every row between two, in either direction. Without a known start only the end is added. */
export function withRange(
  selected: ReadonlySet<string>,
  keys: readonly string[],
  from: string | undefined,
  to: string,
): ReadonlySet<string> {
  const [start, end] = [from === undefined ? -1 : keys.indexOf(from), keys.indexOf(to)];
  if (start < 0 || end < 0) return new Set([...selected, to]);
  return new Set([...selected, ...keys.slice(Math.min(start, end), Math.max(start, end) + 1)]);
}

/** All of the loaded rows, or none of them if all are selected already. */
export function allToggled(selected: ReadonlySet<string>, keys: readonly string[]): ReadonlySet<string> {
  if (!keys.every((key) => selected.has(key))) return new Set([...selected, ...keys]);
  const loaded = new Set(keys);
  return new Set([...selected].filter((key) => !loaded.has(key)));
}
