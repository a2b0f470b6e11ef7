import { toSnake } from '../catalogue/settings-form.ts';

/** What the commands of an install are made from. */
export interface Runnable {
  readonly type: string;
  readonly title: string;
  /** The tag of the image; null for the Kubernetes exporter. */
  readonly version: string | null;
  readonly installationId: string;
  readonly clientId: string;
  readonly publicUrl: string;
  /** 0 for one resync. */
  readonly resyncMinutes: number;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Names of the settings that are secrets. */
  readonly secrets: readonly string[];
}

/** The environment variable that holds the client secret in every command. */
export const clientSecretVariable = 'PORT_CLIENT_SECRET';

/** `token` of `pagerduty` → `PAGERDUTY_TOKEN`. */
export function secretVariable(type: string, secret: string): string {
  const prefix = `${type.replace(/[^a-z0-9]+/g, '_')}_`;
  const name = toSnake(secret);
  return (name.startsWith(prefix) ? name : `${prefix}${name}`).toUpperCase();
}

/** The value as the client parses it from its environment. */
export function settingText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The environment of a client, without its secrets. */
export function clientEnvironment(run: Runnable, url: string, listener: 'POLLING' | 'ONCE'): [string, string][] {
  return [
    ['OCEAN__PORT__CLIENT_ID', run.clientId],
    ['OCEAN__PORT__BASE_URL', url],
    ['OCEAN__INITIALIZE_PORT_RESOURCES', 'true'],
    ['OCEAN__SEND_RAW_DATA_EXAMPLES', 'true'],
    ...(listener === 'POLLING'
      ? [['OCEAN__SCHEDULED_RESYNC_INTERVAL', String(run.resyncMinutes)] as [string, string]]
      : []),
    ['OCEAN__EVENT_LISTENER', JSON.stringify({ type: listener })],
    ['OCEAN__INTEGRATION__IDENTIFIER', run.installationId],
    ['OCEAN__INTEGRATION__TYPE', run.type],
    ...Object.entries(run.settings).map(([name, value]): [string, string] => [
      configVariable(name),
      settingText(value),
    ]),
  ];
}

/** The environment variables that hold secrets in the container, each with the one that the commands take. */
export function secretEnvironment(run: Pick<Runnable, 'type' | 'secrets'>): [string, string][] {
  return [
    ['OCEAN__PORT__CLIENT_SECRET', clientSecretVariable],
    ...run.secrets.map((name): [string, string] => [configVariable(name), secretVariable(run.type, name)]),
  ];
}

function configVariable(name: string): string {
  return `OCEAN__INTEGRATION__CONFIG__${toSnake(name).toUpperCase()}`;
}

export function clientImage({ type, version }: Pick<Runnable, 'type' | 'version'>): string {
  return `ghcr.io/port-labs/port-ocean-${type}:${version ?? 'latest'}`;
}
