/** Deep equality of JSON, ignoring the order of keys. An undefined member counts as absent, as it does once written. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one)) return Array.isArray(other) && isSameList(one, other);
  return !Array.isArray(other) && isSameMap(one as JsonMap, other as JsonMap);
}

type JsonMap = Readonly<Record<string, unknown>>;

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) {
    if (!isSameJson(one[index], other[index])) return false;
  }
  return true;
}

function isSameMap(one: JsonMap, other: JsonMap): boolean {
  let members = 0;
  for (const key in one) {
    const value = one[key];
    if (value === undefined || !Object.hasOwn(one, key)) continue;
    if (!Object.hasOwn(other, key) || !isSameJson(value, other[key])) return false;
    members += 1;
  }
  for (const key in other) if (other[key] !== undefined && Object.hasOwn(other, key)) members -= 1;
  return members === 0;
}
