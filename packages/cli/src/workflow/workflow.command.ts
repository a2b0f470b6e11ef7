import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ApiError, type Client } from '@portolan/contract/client';
import { isRecord } from '@portolan/contract/json-value';
import { startWorkflowRun } from '@portolan/contract/workflow-runs';
import {
  createWorkflow,
  getWorkflow,
  listWorkflows,
  replaceWorkflow,
  validateWorkflow,
  type WorkflowBody,
  type WorkflowIssue,
} from '@portolan/contract/workflows';
import { usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { connectionOptions } from '../config.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printable, table } from '../output.ts';
import { compensateVerb, pauseVerb, rerunVerb, resumeVerb } from './rerun-verbs.ts';
import type { Verb } from './workflow-verb.ts';

/** Of `diff`, as tools that compare files answer it. */
const differs = 2 as const;

export const workflowCommand: Command = {
  name: 'workflow',
  summary: 'List, pull, compare, check, apply, run and pause workflows',
  usage: [
    'workflow list [options]',
    'workflow pull <workflow> [options]',
    'workflow diff <file> [options]',
    'workflow validate <file> [options]',
    'workflow apply <file> [options]',
    'workflow run <workflow> [options]',
    'workflow rerun <run> [options]',
    'workflow compensate <run> [options]',
    'workflow pause [workflow] [options]',
    'workflow resume [workflow] [options]',
  ],
  details: [
    'A file is the JSON of one workflow, as pull prints it. diff names the nodes that differ and exits with 2 if any do;',
    'apply creates the workflow or saves a version of it, and changes nothing if it is the same.',
    'rerun takes over the steps before the one it begins with; --plan says which, and changes nothing.',
    'compensate carries out again what a run failed to undo.',
    'pause and resume are for all workflows where none is named.',
  ],
  options: {
    strict: { type: 'boolean', description: 'apply: refuse names that the organization does not have' },
    note: { type: 'string', placeholder: 'text', description: 'apply: what the version changes' },
    input: {
      type: 'string',
      isRepeatable: true,
      placeholder: 'name=value',
      description: 'run, rerun: an input of the form; the value is JSON, or else a text',
    },
    node: {
      type: 'string',
      placeholder: 'trigger',
      description: 'run: the form to start by, if there are several; pause, resume: this trigger alone',
    },
    from: { type: 'string', placeholder: 'step', description: 'rerun: the step to begin with' },
    current: { type: 'boolean', description: 'rerun: follow the current version' },
    acknowledge: {
      type: 'string',
      isRepeatable: true,
      placeholder: 'step',
      description: 'rerun: a step that may be repeated though it may count twice',
    },
    step: {
      type: 'string',
      isRepeatable: true,
      placeholder: 'node run',
      description: 'compensate: this one of failedCompensations alone',
    },
    plan: { type: 'boolean', description: 'rerun: say what would be done' },
    reason: { type: 'string', placeholder: 'text', description: 'pause: why' },
    json: { type: 'boolean', description: 'print JSON' },
    ...connectionOptions,
  },
  examples: [
    'workflow pull deploy > deploy.json',
    'workflow apply deploy.json',
    'workflow run deploy --input size=3',
    'workflow rerun wfr_1 --plan',
  ],
  run,
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const [verb = '', word, ...rest] = input.words;
  const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!act) throw usageError(`"workflow ${verb}" is not known. There are: ${Object.keys(verbs).join(', ')}.`);
  if (rest.length > 0) throw usageError(`"${rest[0]}" is one word too many.`);
  const prepared = await act(input, word, context);
  const { client, address } = connect(input, context);
  const { json, text, code } = await explained(address, () => prepared(client));
  context.out.write(input.flag('json') ? `${JSON.stringify(json)}\n` : printable(text, context.out));
  return code ?? exitCodes.ok;
}

const verbs: Readonly<Record<string, Verb>> = {
  list: async () => async (client) => {
    const { workflows } = await client.call(listWorkflows);
    const rows = workflows.map(({ identifier, title, version, updatedBy }) => [
      identifier,
      title ?? '',
      `${version}`,
      updatedBy,
    ]);
    return { json: { workflows }, text: table(['ID', 'TITLE', 'VERSION', 'SAVED BY'], rows) };
  },
  pull: async (_input, word) => {
    const params = { identifier: named(word) };
    return async (client) => {
      const written = asWritten((await client.call(getWorkflow, { params })).workflow);
      return { json: written, text: `${JSON.stringify(written, null, 2)}\n` };
    };
  },
  diff: async (_input, word, context) => {
    const file = await readWorkflow(word, context);
    return async (client) => {
      const changes = compare(await current(client, file.identifier), file);
      const text = changes.length === 0 ? 'They are the same.\n' : `${changes.join('\n')}\n`;
      return { json: { changes }, text, ...(changes.length === 0 ? {} : { code: differs }) };
    };
  },
  validate: async (_input, word, context) => {
    const body = await readWorkflow(word, context);
    return async (client) => {
      const { isValid, issues, warnings } = await client.call(validateWorkflow, { body });
      const text = isValid ? `The workflow is valid.\n${listed(warnings)}` : listed(issues);
      return { json: { isValid, issues, warnings }, text, code: isValid ? exitCodes.ok : exitCodes.failed };
    };
  },
  apply: async (input, word, context) => {
    const body = await readWorkflow(word, context);
    const note = input.text('note');
    const query = { ...(note === undefined ? {} : { note }), strict: input.flag('strict') };
    return async (client) => {
      const before = await current(client, body.identifier);
      const params = { identifier: body.identifier };
      const { workflow, warnings } = before
        ? await client.call(replaceWorkflow, { params, query, body })
        : await client.call(createWorkflow, { query, body });
      const isSame = before !== undefined && before['version'] === workflow.version;
      const done = isSame ? 'is as it was, at' : 'was saved as';
      const text = `"${body.identifier}" ${done} version ${workflow.version}.\n${listed(warnings)}`;
      return { json: { workflow, warnings, isChanged: !isSame }, text };
    };
  },
  rerun: rerunVerb(readInputs),
  compensate: compensateVerb,
  pause: pauseVerb,
  resume: resumeVerb,
  run: async (input, word) => {
    const params = { identifier: named(word) };
    const node = input.text('node');
    const body = { inputs: readInputs(input), ...(node === undefined ? {} : { nodeIdentifier: node }) };
    return async (client) => {
      const { run: started } = await client.call(startWorkflowRun, { params, body });
      return { json: { run: started }, text: `Started ${started.identifier}.\n` };
    };
  },
};

function named(word: string | undefined): string {
  if (word) return word;
  throw usageError('Name the workflow; "portolan workflow list" shows them.');
}

type Document = Readonly<Record<string, unknown>>;

/** @throws CliError for a file that is no workflow */
async function readWorkflow(word: string | undefined, { workingDirectory }: Context): Promise<WorkflowBody> {
  if (!word) throw usageError('Name the file of the workflow.');
  let document: unknown;
  try {
    document = JSON.parse(await readFile(resolve(workingDirectory, word), 'utf8'));
  } catch (error) {
    throw usageError(`"${word}" cannot be read as JSON: ${(error as Error).message}.`);
  }
  if (isRecord(document) && typeof document['identifier'] === 'string') return asWritten(document) as WorkflowBody;
  throw usageError(`"${word}" is no workflow: it has no "identifier".`);
}

async function current(client: Client, identifier: string): Promise<Document | undefined> {
  try {
    return (await client.call(getWorkflow, { params: { identifier } })).workflow;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

const added = new Set(['id', 'version', 'versionIdentifier', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy']);

function asWritten(workflow: Document): Document {
  return Object.fromEntries(Object.entries(workflow).filter(([key]) => !added.has(key)));
}

/** What applying the file would change, a line each. */
function compare(before: Document | undefined, file: Document): string[] {
  if (!before) return [`+ workflow ${String(file['identifier'])}`];
  const [old, now] = [nodesByName(before), nodesByName(file)];
  const keys = new Set([...Object.keys(asWritten(before)), ...Object.keys(file)]);
  keys.delete('nodes');
  const changed = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
  const lines = [
    ...[...now].flatMap(([name, node]) => {
      if (!old.has(name)) return [`+ node ${name}`];
      return changed(old.get(name), node) ? [`~ node ${name}`] : [];
    }),
    ...[...old.keys()].filter((name) => !now.has(name)).map((name) => `- node ${name}`),
    ...[...keys].filter((key) => changed(before[key], file[key])).map((key) => `~ ${key}`),
  ];
  const isMoved = lines.length === 0 && changed(before['nodes'], file['nodes']);
  return isMoved ? ['~ order of nodes'] : lines;
}

function nodesByName({ nodes }: Document): Map<string, unknown> {
  const list = Array.isArray(nodes) ? nodes.filter(isRecord) : [];
  return new Map(list.map((node) => [String(node['identifier']), node]));
}

function listed(issues: readonly WorkflowIssue[]): string {
  return issues.length === 0
    ? ''
    : table(
        ['PLACE', 'RULE', 'WHAT'],
        issues.map(({ path, code, message }) => [path, code, message]),
      );
}

function readInputs(input: Arguments): Record<string, unknown> {
  return Object.fromEntries(
    input.list('input').map((text) => {
      const at = text.indexOf('=');
      if (at <= 0) throw usageError(`--input "${text}" is no name with a value, such as size=3.`);
      return [text.slice(0, at), readValue(text.slice(at + 1))];
    }),
  );
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
