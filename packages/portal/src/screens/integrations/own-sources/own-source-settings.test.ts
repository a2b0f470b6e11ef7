import { expect, test } from 'vitest';
import { enteredSecrets, readSettings, touchedSettings } from '../install-settings.ts';

const settings = readSettings({
  settings: {
    properties: {
      url: { type: 'string', title: 'Address' },
      owners: { type: 'array', items: { type: 'string' }, title: 'Owners', default: ['all'] },
      branch: { type: 'string', title: 'Branch', default: 'main' },
      names: { type: 'object', title: 'Names' },
      token: { type: 'string', title: 'Token', writeOnly: true },
    },
    required: ['url', 'token'],
  },
});

test('of the settings of a source, what was touched is sent, and secrets are not among it', () => {
  const values = { url: 'https://git.example', names: '{"a":"b"}', token: 'secret' };
  expect(touchedSettings(settings, values)).toEqual({ url: 'https://git.example', names: { a: 'b' } });
  expect(enteredSecrets(settings, values)).toEqual({ token: 'secret' });
  expect(enteredSecrets(settings, { token: '' })).toEqual({});
});

test('a list of texts has one on each line, and an emptied one is empty and not its default', () => {
  expect(touchedSettings(settings, { owners: ' acme\n\n other ' })).toEqual({ owners: ['acme', 'other'] });
  expect(touchedSettings(settings, { owners: '' })).toEqual({ owners: [] });
});

test('an emptied text goes back to its default, and one without is left out', () => {
  expect(touchedSettings(settings, { branch: '', url: '' })).toEqual({ branch: 'main' });
});
