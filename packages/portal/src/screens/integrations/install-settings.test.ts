import { expect, test } from 'vitest';
import { freeName, readSettings, shownSettings, writtenSettings } from './install-settings.ts';

const settings = readSettings({
  settings: {
    type: 'object',
    properties: {
      mode: { type: 'string', title: 'Mode', enum: ['App', 'Token'], default: 'App' },
      appId: { type: 'string', title: 'App ID', onlyWhen: { setting: 'mode', values: ['App'], required: true } },
      token: {
        type: 'string',
        title: 'Token',
        writeOnly: true,
        onlyWhen: { setting: 'mode', values: ['Token'], required: true },
      },
      hosts: { type: 'array', title: 'Hosts' },
    },
    required: [],
  },
});

test('a setting is asked for beside the values it belongs to, by default too', () => {
  const names = (values: object) => shownSettings(settings, { ...values }).map(({ name }) => name);
  expect(names({})).toEqual(['mode', 'appId', 'hosts']);
  expect(names({ mode: 'Token' })).toEqual(['mode', 'token', 'hosts']);
});

test('what is sent has no secrets, no defaults, nothing empty and nothing that is not shown', () => {
  const values = { mode: 'App', appId: '7', token: true, hosts: '["a"]' };
  expect(writtenSettings(settings, values)).toEqual({ appId: '7', hosts: ['a'] });
  expect(writtenSettings(settings, { ...values, mode: 'Token', hosts: '' })).toEqual({ mode: 'Token' });
  expect(writtenSettings(settings, { hosts: 'no JSON' })).toEqual({ hosts: 'no JSON' });
});

test('a name is proposed that is free', () => {
  expect(freeName('jira', [])).toBe('jira');
  expect(freeName('jira', ['jira', 'jira-2'])).toBe('jira-3');
});
