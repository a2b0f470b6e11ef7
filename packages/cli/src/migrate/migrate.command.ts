import { resolve } from 'node:path';
import type { OrganizationDocuments } from '@portolan/team-references';
import { usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { connectionOptions } from '../config.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { acceptances, acceptanceVerbs } from './acceptances.ts';
import { overrides } from './overrides.ts';
import { readOrganization } from './read-organization.ts';
import { migrationVerbs, runMigration } from './run-migration.ts';
import { suggestions, suggestionVerbs } from './suggestions.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Move users and teams to blueprints, here and in what is kept in files',
  usage: [
    'migrate codemod <folder> [--write] [--url <address>]',
    'migrate check [<folder>] [--url <address>] [--sarif <file>] [--baseline <file>]',
    'migrate plan | rehearse | status',
    'migrate overrides [--identifier <title>=<identifier>]… [--duplicate <title>=<identifier>]… [--forget <title>]…',
    'migrate start | rollback [--detach]',
    'migrate accept | withdraw <item>… | --all',
    'migrate verify',
    'migrate apply <item>… | --all [--dry-run]',
    'migrate revert <item>… | --all',
  ],
  details: [
    'codemod prints a diff of Terraform files and mappings, and with --write makes the changes; programs that call the',
    'API are only shown. With --url the titles of teams are known. After --write, terraform validate is asked where it is',
    'installed. check ends with 1 while something would break, or could not be looked at.',
    'The others are about the organization itself. plan ends with 1 while something blocks, rehearse where somebody gains',
    'or loses a right. start and rollback are followed to their end, unless --detach is given; Ctrl-C stops following, and',
    'the migration goes on. status also lists who still names teams by titles. Suggestions of the plan that are accepted',
    'are written with the migration, right after the flip. Once it is migrated, verify lists what was left to people and',
    'ends with 1 while something is broken; apply writes what is suggested, and revert takes it back.',
  ],
  options: {
    write: { type: 'boolean', description: 'codemod: change the files' },
    sarif: { type: 'string', placeholder: 'file', description: 'check: write the findings as SARIF' },
    baseline: { type: 'string', placeholder: 'file', description: 'check: leave out what this file knows' },
    'write-baseline': {
      type: 'string',
      placeholder: 'file',
      description: 'check: write what is found now, and end with 0',
    },
    all: {
      type: 'boolean',
      description: 'accept, apply: everything that would break and has a suggestion; withdraw, revert: all',
    },
    'dry-run': { type: 'boolean', description: 'apply: tell what would change, and write nothing' },
    identifier: {
      type: 'string',
      placeholder: 'title=identifier',
      isRepeatable: true,
      description: 'overrides: the identifier that a team gets',
    },
    duplicate: {
      type: 'string',
      placeholder: 'title=identifier',
      isRepeatable: true,
      description: 'overrides: which of several teams a title means; none where no identifier follows',
    },
    forget: {
      type: 'string',
      placeholder: 'title',
      isRepeatable: true,
      description: 'overrides: take back what was decided for a title',
    },
    detach: { type: 'boolean', description: 'start, rollback: do not wait for the end' },
    json: { type: 'boolean', description: 'print JSON; not for codemod and check' },
    ...connectionOptions,
  },
  examples: [
    'migrate codemod infrastructure',
    'migrate check infrastructure --sarif teams.sarif --baseline teams.json',
  ],
  run,
};

/** Stands in for an organization if none is named. */
export const nobody: OrganizationDocuments = {
  model: 'legacy',
  teams: [],
  blueprints: [],
  actions: [],
  integrations: [],
  webhooks: [],
  pages: [],
  scorecards: [],
  agents: [],
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const [verb = '', folder, ...rest] = input.words;
  const suggesting = suggestionVerbs.find((each) => each === verb);
  if (suggesting) return suggestions(suggesting, input, context, input.words.slice(1));
  const accepting = acceptanceVerbs.find((each) => each === verb);
  if (accepting) return acceptances(accepting, input, context, input.words.slice(1));
  if (rest.length > 0) throw usageError(`"${rest[0]}" is one word too many. Names with spaces need quotes.`);
  switch (verb) {
    case 'codemod':
      if (folder === undefined) throw usageError('Name the folder: migrate codemod <folder>.');
      return codemod(input, context, folder);
    case 'check': {
      const organization = await readNamedOrganization(input, context);
      if (folder === undefined && organization === undefined)
        throw usageError('Name a folder, or an organization with --url.');
      // Loaded on demand: most commands parse no expressions.
      const { check } = await import('./check.ts');
      return check(input, context, folder, organization, nobody);
    }
    default: {
      if (folder !== undefined) throw usageError(`"${folder}" is one word too many.`);
      if (verb === 'overrides') return overrides(input, context);
      const running = migrationVerbs.find((each) => each === verb);
      if (running) return runMigration(running, input, context);
      const others = [...migrationVerbs, 'overrides', ...acceptanceVerbs, ...suggestionVerbs].join(', ');
      throw usageError(`"migrate ${verb}" is not known. There are: codemod, check, ${others}.`);
    }
  }
}

/** Reads the organization if one is named; checking only a folder needs no server. */
async function readNamedOrganization(input: Arguments, context: Context): Promise<OrganizationDocuments | undefined> {
  const isNamed =
    input.text('url') !== undefined ||
    input.text('client-id') !== undefined ||
    Boolean(context.environment['PORTOLAN_URL']);
  if (!isNamed) return undefined;
  const { client, address } = connect(input, context);
  return (await explained(address, () => readOrganization(client))).documents;
}

async function codemod(input: Arguments, context: Context, name: string): Promise<ExitCode> {
  const { runCodemod } = await import('./codemod/run-codemod.ts');
  const organization = (await readNamedOrganization(input, context)) ?? nobody;
  return runCodemod(resolve(context.workingDirectory, name), organization, input.flag('write'), context);
}
