/** A setting as the specification of a client writes it. */
export interface WrittenSetting {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly sensitive?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly dependencies?: readonly {
    readonly on: string;
    readonly when: { readonly equals?: string; readonly in?: readonly string[] };
    readonly then: { readonly required: boolean };
  }[];
}

const known = new Set([
  ...['name', 'type', 'required', 'sensitive', 'default', 'enum', 'dependencies'],
  ...['description', 'example', 'format', 'title', 'items'],
]);

/** The parts of a setting that are kept: names and rules, no texts. */
export function toSetting(client: string, written: WrittenSetting) {
  const unknown = Object.keys(written).filter((key) => !known.has(key));
  if (unknown.length > 0) throw new Error(`${client}.${written.name}: look at these new keys: ${unknown.join(', ')}`);
  const { name, type, required, sensitive = false, default: initial, enum: choices } = written;
  return {
    name,
    type: type === 'url' ? 'string' : type,
    ...(type === 'url' ? { format: 'url' } : {}),
    required,
    secret: sensitive,
    ...(initial === undefined || initial === null ? {} : { default: initial }),
    ...(choices ? { choices } : {}),
    ...onlyWhen(written),
  };
}

/** Shown only beside certain values of another setting, and needed there or not. */
function onlyWhen({ dependencies }: WrittenSetting) {
  const [dependency] = dependencies ?? [];
  if (!dependency) return {};
  const { on, when, then } = dependency;
  return { onlyWhen: { setting: on, values: when.in ?? [when.equals], required: then.required } };
}
