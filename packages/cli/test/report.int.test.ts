import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../src/run.ts';
import { type ServerProcess, startServer } from './processes.ts';
import { runPublicScript } from './public-report-script.ts';
import { type SeededOrganization, seedLegacyOrganization } from './seed-teams.ts';
import { createTestContext } from './test-context.ts';

describe('the report', () => {
  let server: ServerProcess;
  let seeded: SeededOrganization;
  let folder = '';
  beforeAll(async () => {
    folder = process.env['PORTOLAN_REPORT_FOLDER'] ?? mkdtempSync(join(tmpdir(), 'portolan-report-'));
    server = await startServer();
    seeded = await seedLegacyOrganization(server);
  });
  afterAll(async () => {
    await server?.stop();
    if (process.env['PORTOLAN_REPORT_FOLDER'] === undefined) rmSync(folder, { recursive: true, force: true });
  });

  async function called(given: readonly string[], environment: Record<string, string> = {}) {
    const { context, out, err } = createTestContext({ fetch, environment, workingDirectory: folder });
    return { code: await run(given, context), out: out(), err: err() };
  }
  const connected = () => [
    '--url',
    server.address,
    '--client-id',
    seeded.clientId,
    '--client-secret',
    seeded.clientSecret,
  ];
  const place = (item: { resource: { kind: string; identifier: string }; pointer: string; verdict: string }) =>
    `${item.verdict} ${item.resource.kind} ${item.resource.identifier} ${item.pointer}`;

  test('a legacy organization: everything that refers to teams, and nothing that does not', async () => {
    const { code, out, err } = await called(['report', ...connected()]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('does not measure completion');
    const report = JSON.parse(readFileSync(join(folder, 'output/report.json'), 'utf8'));
    expect(report.organization).toMatchObject({ name: 'Acme <b>Logistics</b>', model: 'legacy' });
    expect(report.manual.map(place).sort()).toEqual(
      [
        'breaks action restart /trigger/userInputs/properties/other/dataset/rules/0',
        'breaks action restart /trigger/userInputs/properties/reason/visible/jqQuery',
        'breaks action-permissions restart /execute/policy/queries/mine/rules/0',
        'breaks automation adopt /invocationMethod/mapping/team',
        'breaks automation adopt /trigger/condition/expressions/0',
        'breaks blueprint service /calculationProperties/is_sre/calculation',
        'breaks integration tracker /config/resources/0/port/entity/mappings/team',
        'breaks page overview /widgets/0/widgets/0/dataset/rules/0',
        'breaks scorecard ownership /rules/0/query/conditions/0',
        'breaks webhook pager /mappings/0/entity/team',
        'review action restart /invocationMethod/url',
        'review blueprint service /calculationProperties/owner_names/calculation',
        'review blueprint service /schema/properties/squad',
        'review integration sources /config',
      ].sort(),
    );
    expect(
      report.automatic.map(
        ({ rule, resource, pointer }: { rule: number; resource: { identifier: string }; pointer: string }) =>
          `${rule} ${resource.identifier} ${pointer}`,
      ),
    ).toEqual([
      '1 service /ownership',
      '4 service /entities/register/teams',
      '2 deployment /teamInheritance',
      '2 deployment /ownership',
      '4 restart /execute/teams',
      '4 overview /read/teams',
    ]);
    const calculation = report.manual.find(({ pointer }: { pointer: string }) => pointer.includes('is_sre'));
    expect(calculation).toMatchObject({
      suggestion: { value: '.team | index("sre") != null' },
      sample: { before: true, after: true },
    });
  });

  test('the page names every item, carries no markup of other people and fetches nothing', async () => {
    await called(['report', ...connected(), '--output', 'again']);
    const page = readFileSync(join(folder, 'again/index.html'), 'utf8');
    const { manual } = JSON.parse(readFileSync(join(folder, 'again/report.json'), 'utf8'));
    for (const item of manual) {
      expect(page).toContain(`data-id="${item.id}"`);
      expect(page).toContain(`<code>${item.resource.identifier}</code>`);
      if (item.element) expect(page).toContain(`<code>${item.element.identifier}</code>`);
    }
    expect(page).not.toContain('<b>Logistics');
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(page).not.toContain('clean_action');
    await called(['report', ...connected(), '--output', 'once-more']);
    const first = JSON.parse(readFileSync(join(folder, 'once-more/report.json'), 'utf8'));
    expect(manual.map(({ id }: { id: string }) => id)).toEqual(first.manual.map(({ id }: { id: string }) => id));
  });

  test('the codemod writes the identifiers that the migration will give', async () => {
    const overrides = '/v1/blueprints/system/users-and-teams-as-blueprints/overrides';
    const source = `resource "port_blueprint" "service" {
  identifier = "service"
  calculation_properties = {
    is_sre = { type = "boolean", calculation = ".team | contains([\\"SRE\\"])" }
  }
}

resource "port_action_permissions" "restart" {
  action_identifier = "restart"
  permissions       = { execute = { teams = ["SRE"] } }
}
`;
    mkdirSync(join(folder, 'infrastructure'));
    writeFileSync(join(folder, 'infrastructure/main.tf'), source);
    await seeded.call('PUT', overrides, { identifiers: { SRE: 'reliability' } });
    const { code, err } = await called(['migrate', 'codemod', 'infrastructure', '--write', ...connected()]);
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('1 file changed. 0 places') });
    expect(readFileSync(join(folder, 'infrastructure/main.tf'), 'utf8')).toBe(
      source.replace('contains([\\"SRE\\"])', 'index(\\"reliability\\") != null').replace('["SRE"]', '["reliability"]'),
    );
    await seeded.call('PUT', overrides, {});
  });

  test('the public script reads what it needs, with its targets in absolute form', async () => {
    const found = await runPublicScript(server.address, seeded.clientId, seeded.clientSecret);
    expect(found.organization).toBe('Acme <b>Logistics</b>');
    expect(found.expiresAt).toBeGreaterThan(Date.now() / 1000);
    expect(found.withTeams).toMatchObject({ service: 1, clean: 0 });
    expect(found.withTeams).not.toHaveProperty('deployment');
    expect(found.permissionPaths).toEqual(['service entities.register']);
    expect([...found.integrationTypes].sort()).toEqual(['github', 'jira']);
  });

  test('wrong credentials and a server that is not there end with a sentence', async () => {
    const wrong = await called(['report', '--url', server.address, '--client-id', 'x', '--client-secret', 'y']);
    expect(wrong.code).toBe(4);
    expect(wrong.err).toMatch(/^portolan: \w+: .+\.\n$/);
    const absent = await called(['report', '--url', 'http://127.0.0.1:1', '--client-id', 'x', '--client-secret', 'y']);
    expect(absent.code).toBe(3);
  });
});
