import type { Issue } from '@portolan/contract/errors';
import type { InstallBody } from '@portolan/contract/installs';
import type { Client, ClientSetting } from '../catalogue/client.types.ts';

/** Secrets that the client is started with: those asked for, and those it cannot do without. */
export function neededSecrets(
  { settings }: Client,
  body: Pick<InstallBody, 'settings' | 'secrets'>,
): readonly ClientSetting[] {
  return settings.filter(
    (setting) => setting.secret && (isRequired(setting, settings, body) || body.secrets.includes(setting.name)),
  );
}

/** What is wrong with the settings of an install; all of it at once. */
export function checkSettings({ settings }: Client, body: Pick<InstallBody, 'settings' | 'secrets'>): Issue[] {
  const known = new Map(settings.map((setting) => [setting.name, setting]));
  const written = Object.entries(body.settings).flatMap(([name, value]): Issue[] => {
    const setting = known.get(name);
    const path = `/settings/${name}`;
    if (!setting) return [{ path, message: 'is no setting of this client' }];
    if (setting.secret)
      return [{ path, message: 'is a secret: enter it where the client runs, and name it in secrets' }];
    if (!isOfType(setting, value)) return [{ path, message: `must be of type ${setting.type}` }];
    if (setting.choices && !setting.choices.includes(String(value))) {
      return [{ path, message: `must be one of: ${setting.choices.join(', ')}` }];
    }
    return [];
  });
  const missing = settings.flatMap((setting): Issue[] => {
    const isThere = setting.secret || !isBlank(body.settings[setting.name]) || setting.default !== undefined;
    return isThere || !isRequired(setting, settings, body)
      ? []
      : [{ path: `/settings/${setting.name}`, message: 'is required' }];
  });
  const unknown = body.secrets.flatMap((name, index): Issue[] =>
    known.get(name)?.secret ? [] : [{ path: `/secrets/${index}`, message: 'is no secret of this client' }],
  );
  return [...written, ...missing, ...unknown];
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === '';
}

function isRequired(
  { required, onlyWhen }: ClientSetting,
  settings: readonly ClientSetting[],
  body: Pick<InstallBody, 'settings'>,
): boolean {
  if (!onlyWhen) return required;
  const other = settings.find(({ name }) => name === onlyWhen.setting);
  const value = body.settings[onlyWhen.setting] ?? other?.default;
  return onlyWhen.required && onlyWhen.values.includes(String(value));
}

function isOfType({ type }: ClientSetting, value: InstallBody['settings'][string]): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && !Array.isArray(value);
  return typeof value === type;
}
