import type { AnswerOf } from '../../api/api.ts';

export type SourceType = AnswerOf<'getSourceType'>['sourceType'];

/** A setting as the form shows it. */
export interface Setting {
  readonly name: string;
  readonly title: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly format?: string;
  /** Of a list. */
  readonly items?: { readonly type?: string };
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  readonly onlyWhen?: { readonly setting: string; readonly values: readonly string[]; readonly required: boolean };
}

interface Property extends Omit<Setting, 'name' | 'isSecret' | 'isRequired'> {
  readonly writeOnly?: boolean;
}

/** The settings in a JSON schema of a source type, in its order. */
export function readSettings({ settings }: Pick<SourceType, 'settings'>): Setting[] {
  const properties = (settings['properties'] ?? {}) as unknown as Readonly<Record<string, Property>>;
  const required = (settings['required'] ?? []) as readonly string[];
  return Object.entries(properties).map(([name, { writeOnly, ...rest }]) => ({
    ...rest,
    name,
    isSecret: writeOnly === true,
    isRequired: required.includes(name) || rest.onlyWhen?.required === true,
  }));
}

/** Values of a form; a list of texts has one on each line, other lists and objects are JSON. */
export type SettingValues = Readonly<Record<string, unknown>>;

/** The settings that are asked for beside these values. */
export function shownSettings(settings: readonly Setting[], values: SettingValues): Setting[] {
  return settings.filter(({ onlyWhen }) => {
    if (!onlyWhen) return true;
    const other = settings.find(({ name }) => name === onlyWhen.setting);
    return onlyWhen.values.includes(String(values[onlyWhen.setting] ?? other?.default));
  });
}

/** What is sent of a form: no secrets, nothing left empty, and nothing that equals a default. */
export function writtenSettings(settings: readonly Setting[], values: SettingValues) {
  const written = shownSettings(settings, values).flatMap((setting) => {
    const value = values[setting.name];
    const isKept = setting.isSecret || value === undefined || value === '' || value === setting.default;
    return isKept ? [] : [[setting.name, parsed(setting, value)] as const];
  });
  return Object.fromEntries(written) as Record<string, string>;
}

export function isTextList({ type, items }: Pick<Setting, 'type' | 'items'>): boolean {
  return type === 'array' && items?.type === 'string';
}

/** What was touched of the settings of a source that Portolan reads itself; one that was emptied is as by default. */
export function touchedSettings(settings: readonly Setting[], values: SettingValues): Record<string, unknown> {
  const touched = shownSettings(settings, values).flatMap((setting) => {
    const value = values[setting.name];
    if (setting.isSecret || value === undefined) return [];
    if (value !== '' || isTextList(setting)) return [[setting.name, parsed(setting, value)] as const];
    return setting.default === undefined ? [] : [[setting.name, setting.default] as const];
  });
  return Object.fromEntries(touched);
}

/** Secrets that were entered. */
export function enteredSecrets(settings: readonly Setting[], values: SettingValues): Record<string, string> {
  const entered = settings.flatMap(({ name, isSecret }) => {
    const value = values[name];
    return isSecret && typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(entered);
}

/** A text that is no JSON is sent as it is, and the server says what it should be. */
function parsed(setting: Setting, value: unknown): unknown {
  const { type } = setting;
  if (isTextList(setting) && typeof value === 'string') {
    return value
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  }
  if ((type !== 'array' && type !== 'object') || typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** An installation id nobody has to think of: `pagerduty`, then `pagerduty-2`. */
export function freeName(type: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? type : `${type}-${number}`;
    if (!taken.includes(name)) return name;
  }
}
