/** A copy of the map with one key set, or removed if undefined; keeps the order of the others. */
export function withKey<Value>(
  map: Readonly<Record<string, Value>>,
  key: string,
  value: Value | undefined,
): Record<string, Value> {
  const entries = Object.entries(map);
  if (value === undefined) return Object.fromEntries(entries.filter(([each]) => each !== key));
  if (!Object.hasOwn(map, key)) return Object.fromEntries([...entries, [key, value]]);
  return Object.fromEntries(entries.map(([each, before]) => [each, each === key ? value : before]));
}
