import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';
import { scanFolder } from './codemod/scan-folder.ts';
import { applyTextEdits } from './codemod/text-edit.ts';
import { nobody } from './migrate.command.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portolan-migrate-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

async function called(given: readonly string[], fetch?: typeof globalThis.fetch) {
  const environment = fetch ? { PORTOLAN_CLIENT_ID: 'a', PORTOLAN_CLIENT_SECRET: 'b' } : {};
  const { context, out, err } = createTestContext({
    environment,
    workingDirectory: folder,
    ...(fetch ? { fetch } : {}),
  });
  return { code: await run(given, context), out: out(), err: err() };
}

const terraform = `terraform {
  required_providers {
    port = {
      source  = "port-labs/port-labs"
      version = "~> 2.1.0" # pinned
    }
    github = { source = "integrations/github", version = "1.0.0" }
  }
}

# team_inheritance in a comment stays
resource "port_blueprint" "pod" {
  identifier       = "pod"
  description      = "team_inheritance = { path = \\"x\\" }"
  team_inheritance = { path = "runs" }
}

resource "port_blueprint" "job" {
  identifier = "job"
  team_inheritance = {
    path = "runs.part_of"
  }
}

resource "port_blueprint" "ledger" {
  identifier = "ledger"
  relations = {
    "owners" = {
      target = "_team"
      many   = true
    }
    "system" = { target = "system" }
  }
  team_inheritance = { path = "owners" }
}

resource "port_blueprint" "user" {
  identifier = "_user"
  properties = {}
}

resource "port_team" "sre" {
  name = "SRE"
}

resource "github_team" "sre" {
  name = "sre"
}

resource "port_entity" "cart" {
  blueprint = port_blueprint.user.identifier
  title     = port_team.sre.name
  teams     = [port_team.sre.name, github_team.sre.name]
}
`;

const terraformAfter = `terraform {
  required_providers {
    port = {
      source  = "port-labs/port-labs"
      version = "~> 2.2.0" # pinned
    }
    github = { source = "integrations/github", version = "1.0.0" }
  }
}

# team_inheritance in a comment stays
resource "port_blueprint" "pod" {
  identifier       = "pod"
  description      = "team_inheritance = { path = \\"x\\" }"
  ownership = { type = "Inherited", path = "runs" }
}

resource "port_blueprint" "job" {
  identifier = "job"
  ownership = {
    type = "Inherited"
    path = "runs.part_of"
  }
}

resource "port_blueprint" "ledger" {
  identifier = "ledger"
  relations = {
    "system" = { target = "system" }
  }
  ownership = { type = "Direct" }
}

resource "port_system_blueprint" "user" {
  identifier = "_user"
  properties = {}
}

removed {
  from = port_blueprint.user
  lifecycle {
    destroy = false
  }
}

import {
  to = port_system_blueprint.user
  id = "_user"
}

resource "port_team" "sre" {
  name = "SRE"
}

resource "github_team" "sre" {
  name = "sre"
}

resource "port_entity" "cart" {
  blueprint = port_system_blueprint.user.identifier
  title     = port_team.sre.name
  teams     = [port_team.sre.identifier, github_team.sre.name]
}
`;

const mapping = `# keep me
resources:
  - kind: project   # and me
    port:
      entity:
        mappings:
          identifier: .key
          blueprint: '"service"'
          team: .owner.squad # title
          properties:
            team: .team.name
`;

describe('codemod', () => {
  test('edits what it knows of Terraform and leaves the rest byte for byte; a second run changes nothing', async () => {
    put({ 'main.tf': terraform });
    const { code, err } = await called(['migrate', 'codemod', '.', '--write']);
    expect({ code, err }).toEqual({
      code: 0,
      err: `main.tf:53:36: What github_team holds is not known here: teams must be named by their identifiers.
1 file changed. 1 place to look at by hand.
Only the syntax was checked: terraform init was not run in this folder.
`,
    });
    expect(readFileSync(join(folder, 'main.tf'), 'utf8')).toBe(terraformAfter);
    const again = await called(['migrate', 'codemod', '.']);
    expect(again).toEqual({
      code: 0,
      out: '',
      err: `main.tf:62:42: What github_team holds is not known here: teams must be named by their identifiers.
0 files to change; --write changes them. 1 place to look at by hand.
`,
    });
  });

  test('the block form and Windows line ends are edited too', async () => {
    const before =
      'resource "acme_blueprint" "a" {\r\n  identifier = "a"\r\n  team_inheritance {\r\n    path = "x"\r\n  }\r\n}\r\n';
    put({ 'a.tf': before });
    await called(['migrate', 'codemod', '.', '--write']);
    expect(readFileSync(join(folder, 'a.tf'), 'utf8')).toBe(
      'resource "acme_blueprint" "a" {\r\n  identifier = "a"\r\n  ownership = {\r\n    type = "Inherited"\r\n    path = "x"\r\n  }\r\n}\r\n',
    );
  });

  test('titles in lists of teams become identifiers where the organization is known, and nowhere else', async () => {
    const source = `resource "port_entity" "cart" {
  title = "SRE"
  teams = ["SRE", "Pay", "Other"]
}

resource "port_blueprint" "b" {
  identifier = "b"
}

resource "port_action_permissions" "run" {
  permissions = {
    execute = { teams = ["SRE"] }
  }
}

resource "github_team_members" "x" {
  teams = ["SRE"]
}
`;
    const teams = [
      { title: 'SRE', identifier: 'sre' },
      { title: 'Pay', identifier: 'a' },
      { title: 'Pay', identifier: 'b' },
    ];
    put({ 'main.tf': source });
    const [file] = (await scanFolder(folder, { ...nobody, teams })).files;
    expect(applyTextEdits(source, file?.edits ?? [])).toBe(
      source
        .replace('teams = ["SRE", "Pay"', 'teams = ["sre", "Pay"')
        .replace('execute = { teams = ["SRE"] }', 'execute = { teams = ["sre"] }'),
    );
    const unknown = await scanFolder(folder, nobody);
    expect(unknown.files.flatMap(({ edits }) => edits)).toEqual([]);
    expect(unknown.files.flatMap(({ findings }) => findings.map(({ line, breaks }) => [line, breaks]))).toEqual([
      [3, false],
      [3, false],
      [3, false],
      [12, false],
    ]);
  });

  test('without --write it prints a diff and changes nothing', async () => {
    put({ 'mapping.yml': mapping, 'call.py': 'body = {"teamInheritance": {"path": "x"}}\n' });
    const { code, out, err } = await called(['migrate', 'codemod', '.']);
    expect(code).toBe(0);
    expect(out).toBe(`--- a/mapping.yml
+++ b/mapping.yml
@@ -6,6 +6,6 @@
         mappings:
           identifier: .key
           blueprint: '"service"'
-          team: .owner.squad # title
+          team: {combinator: '"and"', rules: [{property: '"$title"', operator: '"="', value: '.owner.squad'}]} # title
           properties:
             team: .team.name
`);
    expect(err).toContain('call.py:1:10: The inheritance of teams is replaced by ownership.\n');
    expect(readFileSync(join(folder, 'mapping.yml'), 'utf8')).toBe(mapping);
  });

  test('a folder that is not there is named', async () => {
    const { code, err } = await called(['migrate', 'codemod', 'nowhere']);
    expect(code).toBe(2);
    expect(err).toMatch(/nowhere cannot be read \(ENOENT\)/);
  });
});

describe('check', () => {
  test('fails while something would break, and not for what the baseline knows', async () => {
    put({ 'main.tf': terraform });
    const first = await called(['migrate', 'check', '.', '--sarif', 'teams.sarif']);
    expect(first.code).toBe(1);
    expect(first.out).toContain('main.tf:15:3: team_inheritance is replaced by ownership. [terraform/ownership]\n');
    const sarif = JSON.parse(readFileSync(join(folder, 'teams.sarif'), 'utf8'));
    expect(sarif.version).toBe('2.1.0');
    expect(sarif.runs[0].results[0].locations[0].physicalLocation.artifactLocation).toEqual({ uri: 'main.tf' });
    expect((await called(['migrate', 'check', '.', '--write-baseline', 'known.json'])).code).toBe(0);
    put({ 'main.tf': `# one line more\n${terraform}` });
    expect((await called(['migrate', 'check', '.', '--baseline', 'known.json'])).code).toBe(0);
    put({ 'new.tf': 'resource "port_blueprint" "n" {\n  team_inheritance = { path = "y" }\n}\n' });
    const second = await called(['migrate', 'check', '.', '--baseline', 'known.json']);
    expect(second.code).toBe(1);
    expect(second.out.match(/main\.tf/)).toBeNull();
    await called(['migrate', 'codemod', '.', '--write']);
    expect((await called(['migrate', 'check', '.'])).code).toBe(0);
  });

  test('needs a folder or an organization', async () => {
    expect((await called(['migrate', 'check'])).code).toBe(2);
    expect((await called(['migrate', 'check', '.', '--baseline', 'none.json'])).err).toContain('is no baseline');
  });
});

describe('the migration of the organization', () => {
  const answering =
    (answer: object): typeof fetch =>
    async (address) =>
      Response.json(
        String(address).endsWith('/auth/access_token')
          ? { ok: true, accessToken: 'x', expiresIn: 3600, tokenType: 'Bearer' }
          : { ok: true, ...answer },
      );

  test('status tells the state, and a failed one is a failure', async () => {
    expect(await called(['migrate', 'status'], answering({ status: 'COMPLETED', migrationId: 'm1' }))).toEqual({
      code: 0,
      out: 'COMPLETED m1\n',
      err: '',
    });
    expect((await called(['migrate', 'start'], answering({ status: 'FAILED', message: 'No room.' }))).code).toBe(1);
  });

  test('a plan names what blocks it', async () => {
    const plan = {
      hash: 'h',
      model: 'legacy',
      automatic: [
        {
          rule: 1,
          resource: { kind: 'blueprint', identifier: 'a' },
          pointer: '/ownership',
          before: null,
          after: { type: 'Direct' },
        },
      ],
      manual: [{}],
      blockers: [{ code: 'DUPLICATE_TEAM_TITLE', message: 'Two.', fix: 'Rename one.' }],
    };
    const { code, out } = await called(['migrate', 'plan'], answering({ plan }));
    expect(code).toBe(1);
    expect(out).toBe(`Plan h of an organization of model legacy
Blocks the migration
  DUPLICATE_TEAM_TITLE: Two. Rename one.
Automatic
  1  blueprint a /ownership: null -> {"type":"Direct"}
1 by hand: portolan report shows them.
`);
  });
});
