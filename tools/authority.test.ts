import { describe, expect, test } from 'vitest';
import { filesUnder } from './lib/source-files.ts';

const source = 'packages/server/src/';
const files = filesUnder([source.slice(0, -1)], /(?<!\.test)\.ts$/).map(({ path, text }) => ({
  name: path.slice(source.length),
  text,
}));

/** Files whose text has it. */
function having(pattern: RegExp): string[] {
  return files
    .filter(({ text }) => pattern.test(text))
    .map(({ name }) => name)
    .sort();
}

describe('the gate', () => {
  test('makes what may be written in one file, asked by its own folder alone', () => {
    expect(having(/\bas Permitted\b/)).toEqual(['modules/accounts/authority/permit.ts']);
    const outside = having(/import[^;]*\bpermit\b[^;]*from '[^']*permit\.ts'/).filter(
      (name) => !name.startsWith('modules/accounts/authority/'),
    );
    expect(outside).toEqual([]);
  });

  test('is passed without a question only by what stays or says the same by other names', () => {
    expect(having(/\bunchanged\(/)).toEqual(
      [
        // a key, a blueprint or a team got another name, or a team is gone: nobody gets anything
        'modules/blueprints/follow-rename.ts',
        'modules/blueprints/remove-teams.ts',
        'modules/blueprints/rename-key.ts',
        // the platform's own structure
        'modules/blueprints/agent-schema.ts',
        'modules/blueprints/result-targets.ts',
        // the migration of users and teams, which an administrator without restriction began
        'modules/migrations/users-and-teams/flip.ts',
        'modules/migrations/users-and-teams/undo-migration.ts',
        // a team that is the provider's stays that
        'modules/sign-in/scim/scim-groups.ts',
      ].sort(),
    );
  });
});

/** Columns that decide what somebody may do, by table; every column of an insert counts. */
const deciding: Readonly<Record<string, RegExp>> = {
  users: /\b(role|status|type|moderated_blueprints|identifier) =/,
  team_members: /\b(team_key|user_key) =/,
  teams: /\b(title|identifier|provider|external_id) =/,
  credentials: /\b(secret_hash|scopes|role|user_key) =/,
  api_tokens: /\b(secret_id|scopes|user_key|client_id) =/,
  password_links: /./,
  user_passwords: /./,
  sessions: /\b(secret_hash|user_key) =/,
  sso_connections: /./,
  sso_subjects: /./,
  blueprints: /\b(permissions|definition) =/,
  actions: /\bpermissions =/,
  pages: /\bpermissions =/,
  mcp_servers: /\brights =/,
};

/** Functions that write such a column, as `file function`, and whether they take a `Permitted` value. */
function writers(): string[] {
  const found = new Set<string>();
  for (const { name, text } of files) {
    const functions = text.split(/^(?=(?:export )?(?:async )?function )/m).slice(1);
    for (const body of functions) {
      const [head = ''] = body.split('{\n');
      const called = /function (\w+)/.exec(body)?.[1];
      for (const [, verb, table = '', rest = ''] of body.matchAll(
        /(insert into|update) (\w+)\b([\s\S]*?)(?=`|\bwhere\b)/g,
      )) {
        const columns = deciding[table];
        if (!columns || (verb === 'update' && !columns.test(rest.replace(/^[\s\S]*?\bset\b/, '')))) continue;
        const signature = body.slice(0, body.indexOf(rest) === -1 ? head.length : body.indexOf(rest));
        found.add(`${/\bPermitted</.test(signature) ? 'asks' : 'free'}: ${name.replace('modules/', '')} ${called}`);
      }
    }
  }
  return [...found].sort();
}

test('every statement that decides what somebody may do takes what the gate permitted', () => {
  const free = writers().filter((each) => each.startsWith('free: '));
  expect(free).toEqual([
    // the migration of users and teams, and names that follow a rename
    'free: accounts/all-teams.store.ts setTeamIdentifiers',
    'free: accounts/people.store.ts removeModeratedBlueprint',
    'free: accounts/people.store.ts renameModerated',
    // without rights, which nobody has written yet: the defaults hold
    'free: actions/action.store.ts insertAction',
    // the page of a blueprint that was just made: the defaults hold
    'free: pages/page.store.ts insertCatalogPage',
    // a link ends
    'free: sign-in/passwords/link.store.ts endLinks',
    'free: sign-in/passwords/link.store.ts takeLink',
    // of somebody who has proved to be the user: the callers are named below
    'free: sign-in/passwords/password.store.ts setPasswordHash',
    'free: sign-in/sessions/session.store.ts insertSession',
    'free: sign-in/sso/connection.store.ts linkSubject',
  ]);
  expect(writers().length - free.length).toBeGreaterThan(20);
});

test('sessions and passwords are for those who have proved to be the user', () => {
  expect(having(/\b(setPasswordHash|setPassword|insertSession|openSession|linkSubject)\(/)).toEqual([
    // the current password, or a link that is judged when it is made and when it is redeemed
    'modules/sign-in/passwords/change-password.ts',
    // the first start
    'modules/sign-in/passwords/first-user.ts',
    'modules/sign-in/passwords/password-links.ts',
    'modules/sign-in/passwords/password.store.ts',
    'modules/sign-in/passwords/sign-in-with-password.ts',
    // the session at home, and back to it alone
    'modules/sign-in/sessions/enter-organization.ts',
    'modules/sign-in/sessions/open-session.ts',
    'modules/sign-in/sessions/session.store.ts',
    // the identity provider that an administrator without restriction has named
    'modules/sign-in/sso/admit-person.ts',
    'modules/sign-in/sso/connection.store.ts',
  ]);
});
