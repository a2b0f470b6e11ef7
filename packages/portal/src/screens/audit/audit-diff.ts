export interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

const most = 200;

/** The leaves in which two values differ, by their paths; long lists end with what there is room for. */
export function differences(before: unknown, after: unknown): readonly Difference[] {
  const found: Difference[] = [];
  const walk = (path: string, left: unknown, right: unknown): void => {
    if (found.length >= most || JSON.stringify(left) === JSON.stringify(right)) return;
    if (isObject(left) && isObject(right)) {
      for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
        walk(path === '' ? key : `${path}.${key}`, own(left, key), own(right, key));
      }
      return;
    }
    found.push({ path: path || 'all', before: left, after: right });
  };
  // what came into being or went is shown part by part too
  walk('', before ?? (isObject(after) ? {} : undefined), after ?? (isObject(before) ? {} : undefined));
  return found;
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
