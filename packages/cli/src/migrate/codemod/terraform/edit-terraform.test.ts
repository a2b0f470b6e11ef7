// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of HCL look like those of JavaScript
import type { OrganizationDocuments } from '@portolan/team-references';
import { describe, expect, test } from 'vitest';
import { nobody } from '../../migrate.command.ts';
import { applyTextEdits } from '../text-edit.ts';
import { editTerraform } from './edit-terraform.ts';

const known: OrganizationDocuments = {
  ...nobody,
  teams: [
    { title: 'SRE', identifier: 'sre' },
    { title: 'Pay', identifier: 'pay' },
    { title: 'Two Names', identifier: 'a' },
    { title: 'Two Names', identifier: 'b' },
    { title: 'pay', identifier: 'lower_pay' },
  ],
};

/** The files after the codemod, which a second run must not change, and its notes as `line: message`. */
function edited(files: Readonly<Record<string, string>>, organization: OrganizationDocuments = nobody) {
  const result = editTerraform(new Map(Object.entries(files)), organization);
  const after: Record<string, string> = {};
  const notes: string[] = [];
  for (const { path, source, edits, notes: left } of result.files) {
    after[path] = applyTextEdits(source, edits);
    for (const { start, message } of left) notes.push(`${source.slice(0, start).split('\n').length}: ${message}`);
  }
  const again = editTerraform(new Map(Object.entries(after)), organization);
  expect(again.files.flatMap(({ edits }) => edits)).toEqual([]);
  return { after, notes, unreadable: result.unreadable };
}

const blueprint = (body: string): string => `resource "port_blueprint" "a" {\n  identifier = "a"\n${body}}\n`;

describe('team_inheritance becomes ownership, however it is written', () => {
  test.each([
    ['{ path = "x" }', '{ type = "Inherited", path = "x" }'],
    ['{\n    path = "x" # why\n  }', '{\n    type = "Inherited"\n    path = "x" # why\n  }'],
    ['local.x', 'merge({ type = "Inherited" }, local.x)'],
    ['local.typed', 'local.typed'],
    ['local.chosen', 'local.chosen == null ? null : merge({ type = "Inherited" }, local.chosen)'],
    ['var.x', 'var.x == null ? null : merge({ type = "Inherited" }, var.x)'],
    ['null', 'null'],
    ['(var.a ? { path = "x" } : null)', '(var.a ? { type = "Inherited", path = "x" } : null)'],
    [
      'var.a ? local.x : var.b ? var.y : { path = "z" }',
      'var.a ? merge({ type = "Inherited" }, local.x) : var.b ? (var.y == null ? null : merge({ type = "Inherited" }, var.y)) : { type = "Inherited", path = "z" }',
    ],
    ['merge(local.x, { path = "y" })', 'merge({ type = "Inherited" }, local.x, { path = "y" })'],
    ['merge({ type = "Inherited" }, local.x)', 'merge({ type = "Inherited" }, local.x)'],
    [
      'try(each.value.x, null)',
      'one([for inheritance in [try(each.value.x, null)] : merge({ type = "Inherited" }, inheritance) if inheritance != null])',
    ],
  ])('%s', (before, after) => {
    const locals = `locals {
  x      = { path = "runs" }
  typed  = { type = "Inherited", path = "runs" }
  chosen = var.a ? { path = "runs" } : null
}
`;
    const files = { 'a.tf': blueprint(`  team_inheritance = ${before}\n`), 'locals.tf': locals };
    expect(edited(files).after).toEqual({ 'a.tf': blueprint(`  ownership = ${after}\n`), 'locals.tf': locals });
  });

  test.each([
    ['team_inheritance {\n    path = "x"\n  }', 'ownership = {\n    type = "Inherited"\n    path = "x"\n  }'],
    [
      'dynamic "team_inheritance" {\n    for_each = var.paths\n    content {\n      path = team_inheritance.value.path\n    }\n  }',
      'ownership = one([for team_inheritance_key, team_inheritance in var.paths : { type = "Inherited", path = team_inheritance.path }])',
    ],
    [
      'dynamic "team_inheritance" {\n    for_each = toset(["x"])\n    iterator = it\n    content {\n      path = "${it.key}.y"\n    }\n  }',
      'ownership = one([for it_key, it in toset(["x"]) : { type = "Inherited", path = "${it_key}.y" }])',
    ],
  ])('%s', (before, after) => {
    expect(edited({ 'a.tf': blueprint(`  ${before}\n`) }).after['a.tf']).toBe(blueprint(`  ${after}\n`));
  });

  test('over a relation to teams it is Direct, wherever the path and the target are written', () => {
    const source = `locals {
  over = { path = "owners" }
}
${blueprint(`  relations = merge(var.more, {
    owners = { target = port_system_blueprint.team.identifier }
    system = { target = "system" }
  })
  team_inheritance = local.over
`)}
resource "port_system_blueprint" "team" {
  identifier = "_team"
}
`;
    const { after } = edited({ 'a.tf': source });
    expect(after['a.tf']).toBe(
      source
        .replace('    owners = { target = port_system_blueprint.team.identifier }\n', '')
        .replace('team_inheritance = local.over', 'ownership = { type = "Direct" }'),
    );
  });

  test('a relation that others share stays, and is named', () => {
    const source = `locals {\n  shared = { owners = { target = "_team" } }\n}\n${blueprint('  relations = local.shared\n  team_inheritance = { path = "owners" }\n')}`;
    const { after, notes } = edited({ 'a.tf': source });
    expect(after['a.tf']).toContain('shared = { owners');
    expect(after['a.tf']).toContain('ownership = { type = "Direct" }');
    expect(notes).toEqual(['4: The relation "owners" to teams goes. It is written elsewhere.']);
  });

  test('what a value refers to follows, and a second run changes nothing', () => {
    const source = `${blueprint('  team_inheritance = port_blueprint.b.team_inheritance\n')}resource "port_blueprint" "b" {
  identifier = "b"
  dynamic "team_inheritance" {
    for_each = [port_blueprint.c.team_inheritance]
    content {
      path = "\${team_inheritance.value.path}.\${port_blueprint.c.team_inheritance.path}"
    }
  }
}
resource "port_blueprint" "c" {
  identifier = "c"
}
`;
    const { after } = edited({ 'a.tf': source });
    expect(after['a.tf']).not.toMatch(/c\.team_inheritance|b\.team_inheritance/);
    expect(edited(after).after).toEqual(after);
  });

  test('a path over a relation that another blueprint loses is listed', () => {
    const source = `${blueprint('  team_inheritance = { path = "system.owners" }\n')}resource "port_blueprint" "system" {
  identifier       = "system"
  relations        = { owners = { target = "_team" } }
  team_inheritance = { path = "owners" }
}
`;
    expect(edited({ 'a.tf': source }).notes).toEqual([
      '3: The path "system.owners" ends with a relation to teams, which goes: end it before.',
    ]);
    expect(edited({ 'a.tf': blueprint('  team_inheritance = null\n') }).notes).toEqual([]);
  });

  test('references to it and changes that are ignored follow', () => {
    const source = `${blueprint('  lifecycle {\n    ignore_changes = [team_inheritance]\n  }\n')}output "o" {\n  value = port_blueprint.a.team_inheritance.path\n}\n`;
    expect(edited({ 'a.tf': source }).after['a.tf']).toBe(source.replaceAll('team_inheritance', 'ownership'));
  });
});

describe('system blueprints', () => {
  test('are imported by the root module, and lose what the platform manages', () => {
    const root = 'module "catalog" {\n  source = "./modules/catalog"\n}\n';
    const child = `resource "port_blueprint" "user" {
  identifier = "_user"
  title      = "User" # seen
  icon       = "User"

  relations = {
    teams = { target = "_team", many = true }
    desk  = { target = "desk" }
  }
  team_inheritance = { path = "teams" }
}

output "title" {
  value = "\${port_blueprint.user.title} of \${port_blueprint.user.identifier}"
}
`;
    const files = { 'main.tf': root, 'modules/catalog/main.tf': child };
    const { after, notes } = edited(files);
    expect(notes).toEqual([]);
    expect(after).toEqual({
      'main.tf': `${root}\nimport {\n  to = module.catalog.port_system_blueprint.user\n  id = "_user"\n}\n`,
      'modules/catalog/main.tf': `resource "port_system_blueprint" "user" {
  identifier = "_user"
  # seen

  relations = {
    desk  = { target = "desk" }
  }
}

removed {
  from = port_blueprint.user
  lifecycle {
    destroy = false
  }
}

output "title" {
  value = "\${"User"} of \${port_system_blueprint.user.identifier}"
}
`,
    });
    expect(edited(after)).toMatchObject({ after, notes: [] });
  });

  test('an import that is there already follows its resource', () => {
    const source = `resource "port_blueprint" "t" {\n  identifier = "_team"\n}\n\nimport {\n  to = port_blueprint.t\n  id = "_team"\n}\n`;
    const { after } = edited({ 'a.tf': source });
    expect(after['a.tf']!.match(/import \{/g)).toHaveLength(1);
    expect(after['a.tf']).toContain('to = port_system_blueprint.t\n');
  });

  test('made more than once they are left to people', () => {
    const many = 'resource "port_blueprint" "t" {\n  count      = 1\n  identifier = "_team"\n}\n';
    const each = `resource "port_blueprint" "e" {\n  for_each   = local.all\n  identifier = each.key\n}\nlocals {\n  all = { _user = {}, desk = {} }\n}\n`;
    const called = {
      'a.tf': 'module "m" {\n  source   = "./m"\n  for_each = var.x\n}\n',
      'm/a.tf': 'resource "port_blueprint" "t" {\n  identifier = "_team"\n}\n',
    };
    for (const files of [{ 'a.tf': many }, { 'a.tf': each }, called]) {
      const { after, notes } = edited(files);
      expect(after).toEqual(files);
      expect(notes).toHaveLength(1);
      expect(notes[0]).toMatch(/is a system blueprint/);
    }
  });
});

describe('teams are named by their identifiers', () => {
  const entity = (teams: string): string =>
    `resource "port_team" "x" {\n  name = "X"\n}\n\nresource "port_blueprint" "a" {\n  identifier = "a"\n}\n\nresource "port_entity" "e" {\n  teams = ${teams}\n}\n`;

  test.each([
    ['[port_team.x.name, github_team.x.name]', '[port_team.x.identifier, github_team.x.name]'],
    ['[port_team.x["A"].name]', '[port_team.x["A"].identifier]'],
    ['[port_team.x[0].id]', '[port_team.x[0].identifier]'],
    ['port_team.x[*].name', 'port_team.x[*].identifier'],
    ['values(port_team.x)[*].name', 'values(port_team.x)[*].identifier'],
    ['[for t in port_team.x : t.name if t.name != "Y"]', '[for t in port_team.x : t.identifier if t.name != "Y"]'],
    ['[for k, t in values(port_team.x) : "${t.name}"]', '[for k, t in values(port_team.x) : "${t.identifier}"]'],
    ['var.a ? [port_team.x.name] : []', 'var.a ? [port_team.x.identifier] : []'],
    ['toset(concat([port_team.x.name], []))', 'toset(concat([port_team.x.identifier], []))'],
    ['["SRE", "Two Names", "pay"]', '["sre", "Two Names", "pay"]'],
  ])('%s', (before, after) => {
    expect(edited({ 'a.tf': entity(before) }, known).after['a.tf']).toBe(entity(after));
  });

  test.each([
    ['var.teams', 'What var holds is not known here: teams must be named by their identifiers.'],
    ['lookup(var.map, "a")', 'What lookup() gives is not known here: teams must be named by their identifiers.'],
    ['["X"]', '"X" is the title of port_team.x: write port_team.x.identifier.'],
    [
      '["Z"]',
      '"Z" must be the identifier of a team. Its title is replaced where the organization is named with --url.',
    ],
  ])('%s is listed', (teams, message) => {
    expect(edited({ 'a.tf': entity(teams) })).toMatchObject({
      after: { 'a.tf': entity(teams) },
      notes: [`10: ${message}`],
    });
  });

  test('a title that is the identifier of another team is listed', () => {
    expect(edited({ 'a.tf': entity('["pay"]') }, known).notes).toEqual([
      '10: "pay" is the title of the team lower_pay, and the identifier of another.',
    ]);
  });

  test('a local of teams is edited where it is written, unless something else reads it', () => {
    const locals = 'locals {\n  crew = [port_team.x.name]\n}\n';
    const after = { 'l.tf': locals.replace('.name', '.identifier'), 'a.tf': entity('local.crew') };
    expect(edited({ 'l.tf': locals, 'a.tf': entity('local.crew') })).toMatchObject({ after, notes: [] });
    const shared = { 'l.tf': `${locals}output "o" {\n  value = local.crew\n}\n`, 'a.tf': entity('local.crew') };
    expect(edited(shared)).toMatchObject({
      after: shared,
      notes: ['2: local.crew is read elsewhere too, so that it stays: teams must be named by their identifiers.'],
    });
  });
});

describe('expressions, templates and rules', () => {
  const source = `locals {
  is_sre = var.strict ? ".team == [\\"SRE\\"]" : ".team | contains([\\"SRE\\"])"
}

resource "port_blueprint" "a" {
  identifier = "a"
  calculation_properties = {
    sre  = { type = "boolean", calculation = ".team | contains([\\"SRE\\"])" }
    both = { type = "boolean", calculation = local.is_sre }
    part = { type = "boolean", calculation = ".team | index(\\"\${var.team}\\")" }
    size = { type = "number", calculation = ".team | length" }
  }
}

resource "port_scorecard" "s" {
  identifier = "s"
  blueprint  = port_blueprint.a.identifier
  rules = [{
    identifier = "r"
    query = {
      combinator = "and"
      conditions = [
        jsonencode({ property = "$team", operator = "contains", value = "SRE" }),
        <<-EOT
          {"property": "$team", "operator": "contains", "value": "SRE"}
        EOT
      ]
    }
  }]
}

resource "port_action" "p" {
  identifier = "p"
  self_service_trigger = {
    blueprint_identifier = port_blueprint.a.identifier
    user_properties = {
      string_props = {
        my_reason = { visible_jq_query = ".user.team | index(\\"SRE\\") != null" }
      }
    }
  }
  webhook_method = {
    url  = "https://example.com"
    body = jsonencode({ mine = "{{ .entity.team | index(\\"SRE\\") }}", all = "{{ .entity.team }}" })
  }
}

resource "port_webhook" "w" {
  identifier = "w"
  mappings   = [{ blueprint = "a", entity = { identifier = ".body.id", team = ".body.team" } }]
}

resource "port_action_permissions" "p" {
  action_identifier = "p"
  permissions = {
    execute = { policy = jsonencode({ queries = {}, conditions = [".user.team | index(\\"SRE\\")"] }) }
  }
}
`;

  test('are rewritten where the teams are known, and listed where only a person can tell', () => {
    const { after, notes } = edited({ 'a.tf': source }, known);
    expect(after['a.tf']).toBe(
      source
        .replace(
          '".team == [\\"SRE\\"]" : ".team | contains([\\"SRE\\"])"',
          '".team == [\\"sre\\"]" : ".team | index(\\"sre\\") != null"',
        )
        .replace('".team | contains([\\"SRE\\"])" }', '".team | index(\\"sre\\") != null" }')
        .replace('value = "SRE"', 'value = "sre"')
        .replace('"value": "SRE"', '"value": "sre"')
        .replace('".user.team | index(\\"SRE\\") != null"', '".user.team | index(\\"sre\\") != null"')
        .replace('.entity.team | index(\\"SRE\\")', '.entity.team | index(\\"sre\\")')
        .replace('[".user.team | index(\\"SRE\\")"]', '[".user.team | index(\\"sre\\")"]'),
    );
    expect(notes.map((each) => each.split(':')[0])).toEqual(['10', '44', '50']);
    expect(edited(after, known).after).toEqual(after);
  });

  test('in heredocs too, around what is inserted', () => {
    const heredocs = `resource "port_blueprint" "a" {
  identifier = "a"
  calculation_properties = {
    sre = {
      type        = "boolean"
      calculation = <<-EOT
        # $\${ of a shell
        .team | contains(["SRE"])
      EOT
    }
  }
}

resource "port_aggregation_properties" "a" {
  blueprint_identifier = port_blueprint.a.identifier
  properties = {
    owned = {
      target_blueprint_identifier = port_blueprint.a.identifier
      query = <<-EOT
        {"combinator": "and", "rules": [
          {"property": "kind", "operator": "=", "value": "\${var.kind}"},
          {"property": "$team", "operator": "contains", "value": "SRE"}
        ]}
      EOT
    }
  }
}
`.replaceAll('\\$', '$');
    const { after, notes } = edited({ 'a.tf': heredocs }, known);
    expect(after['a.tf']).toBe(
      heredocs.replace('contains(["SRE"])', 'index("sre") != null').replace('"value": "SRE"', '"value": "sre"'),
    );
    expect(notes).toEqual([]);
  });

  test('without an organization everything is listed and nothing changed', () => {
    const declared = `${source}resource "port_team" "sre" {\n  name = "SRE"\n}\n`;
    const { after, notes } = edited({ 'a.tf': declared });
    expect(after['a.tf']).toBe(declared);
    expect(notes.map((each) => each.split(':')[0])).toEqual([
      '8',
      '2',
      '10',
      '23',
      '25',
      '38',
      '44',
      '44',
      '50',
      '56',
      '2',
    ]);
  });
});

test('what other providers send to the API is listed', () => {
  const source = `resource "restapi_object" "a" {
  data = jsonencode({ identifier = "a", teamInheritance = { path = "x" } })
}
`;
  expect(edited({ 'a.tf': source })).toMatchObject({
    after: { 'a.tf': source },
    notes: ['2: The inheritance of teams is replaced by ownership.'],
  });
});

test('a file that is no HCL is named with the place, and the others are edited', () => {
  const { after, unreadable } = edited({
    'a.tf': blueprint('  team_inheritance = { path = "x" }\n'),
    'b.tf': 'a = {\n',
  });
  expect(after['a.tf']).toContain('ownership');
  expect(unreadable).toEqual([{ path: 'b.tf', offset: 6, message: 'A value is expected here.' }]);
});
