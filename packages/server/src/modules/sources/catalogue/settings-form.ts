import type { ClientSetting } from './client.types.ts';

type Json = Readonly<Record<string, unknown>>;

/** Settings of a client as a JSON schema; secrets are `writeOnly`. */
export function settingsForm(settings: readonly ClientSetting[]): Json {
  const conditions = settings.flatMap(toCondition);
  return {
    type: 'object',
    properties: Object.fromEntries(settings.map((setting) => [setting.name, toProperty(setting)])),
    required: settings.flatMap(({ name, required }) => (required ? [name] : [])),
    ...(conditions.length > 0 ? { allOf: conditions } : {}),
  };
}

function toProperty({ name, type, format, secret, default: initial, choices, onlyWhen }: ClientSetting): Json {
  return {
    type,
    title: settingTitle(name),
    ...(format ? { format } : {}),
    ...(hints[name] ? { description: hints[name] } : {}),
    ...(initial === undefined ? {} : { default: initial }),
    ...(choices ? { enum: choices } : {}),
    ...(secret ? { writeOnly: true } : {}),
    ...(onlyWhen ? { onlyWhen } : {}),
  };
}

function toCondition({ name, onlyWhen }: ClientSetting): Json[] {
  if (!onlyWhen?.required) return [];
  const { setting, values } = onlyWhen;
  const isBeside = { properties: { [setting]: { enum: values } }, required: [setting] };
  return [{ anyOf: [{ not: isBeside }, { required: [name] }] }];
}

const hints: Readonly<Record<string, string>> = {
  appHost: 'Where the client can be reached, if the tool shall send it events; not needed for resyncs',
  webhookSecret: 'What the tool signs its events with; only with live events',
  clusterName: 'Part of the identifier of each namespace and workload',
};

const spellings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['api', 'url', 'id', 'aws', 'arn', 'adc', 'ou', 'kb', 'ci'].map((word) => [word, word.toUpperCase()]),
  ),
  ids: 'IDs',
  arns: 'ARNs',
};

/** `apiUrl` → `API URL`, `aws_access_key_id` → `AWS access key ID`. */
export function settingTitle(name: string): string {
  const words = toSnake(name).split('_').filter(Boolean);
  const text = words.map((word) => spellings[word] ?? word).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A setting as the clients' framework spells it in the environment: `newRelicAPIKey` → `new_relic_api_key`. */
export function toSnake(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}
