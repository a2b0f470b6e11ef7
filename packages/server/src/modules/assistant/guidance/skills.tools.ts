import { z } from 'zod';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { type ToolDeclaration, tool } from '../../../platform/tools/tool.ts';
import type { ReadDeps } from '../../entities/index.ts';
import { findGuidance, type Guidance, listGuidance, toText } from './read-guidance.ts';

const builtIn: Guidance = {
  identifier: 'troubleshoot-integration',
  title: 'Troubleshoot an integration',
  properties: {
    description: 'How to find out why an integration brings in no data or wrong data',
    instructions: `# Troubleshoot an integration

1. get_integration: is there a mapping, and when did the last resync end, in which state?
2. get_integration_sync_metrics: which kinds read nothing, and which were refused?
3. get_integration_event_logs with levels ERROR and WARNING: what does it say itself? Read further back with \`next\`.
4. get_integration_kinds_with_examples: what does the raw data look like? Compare every path of the mapping with it.
5. test_integration_mapping on one example of the kind that fails. Change the mapping and try again until entities come out.
6. get_blueprint of the target: do properties, types and relations of the entities fit?

Say which step showed the problem, quote the record that proves it, and give the corrected mapping. Do not change
anything: the mapping is written by whoever asked.`,
  },
};

/** Instructions for models: those of an organization (blueprint `skill`), and the built-in one. */
export function skillTools(deps: ReadDeps): ToolDeclaration[] {
  return [
    tool({
      name: 'list_skills',
      title: 'List skills',
      description:
        'Lists the skills there are: instructions for kinds of tasks, written by this organization. Load one with load_skill before you do such a task.',
      effect: 'read',
      scope: 'read:entities',
      audience: 'developer',
      texts: 'noted',
      input: z.strictObject({}),
      run: async ({ actor }) => {
        const own = await listGuidance(deps, actor, 'skill');
        const all = own.some(({ identifier }) => identifier === builtIn.identifier) ? own : [builtIn, ...own];
        const skills = all.filter(({ properties }) => toText(properties['instructions']) !== undefined);
        return { skills: skills.map((each) => ({ name: each.identifier, description: describe(each) })) };
      },
    }),
    tool({
      name: 'load_skill',
      title: 'Load a skill',
      description:
        'Returns the instructions of a skill and the names of its resources; with resource, the content of that one.',
      effect: 'read',
      scope: 'read:entities',
      audience: 'developer',
      texts: 'noted',
      input: z.strictObject({
        name: z.string().min(1).max(1000).describe('Name of the skill, from list_skills'),
        resource: z.string().min(1).max(1000).optional().describe('Path of a resource that the skill names'),
      }),
      run: ({ actor }, { name, resource }) => loadSkill(deps, actor, name, resource),
    }),
  ];
}

function describe({ title, properties }: Guidance): string {
  return toText(properties['description']) ?? title;
}

async function loadSkill(deps: ReadDeps, actor: Actor, name: string, resource: string | undefined) {
  const own = await findGuidance(deps, actor, 'skill', name);
  const skill = own ?? (name === builtIn.identifier ? builtIn : undefined);
  const instructions = toText(skill?.properties['instructions']);
  if (!skill || instructions === undefined) throw notFound('Skill', name, 'name');
  const resources = [skill.properties['references'], skill.properties['assets']].flatMap(toResources);
  if (resource === undefined) {
    return {
      name: skill.identifier,
      description: describe(skill),
      instructions,
      ...(resources.length > 0 ? { resources: resources.map(({ path }) => path) } : {}),
    };
  }
  const found = resources.find(({ path }) => path === resource);
  if (found) return { name: skill.identifier, resource: found.path, content: found.content };
  const paths = resources.map(({ path }) => path).join(', ') || 'none';
  throw new AppError('not_found', `The skill "${name}" has no resource "${resource}". Its resources: ${paths}`);
}

function toResources(value: unknown): { readonly path: string; readonly content: string }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each) => {
    const { path, content } = (each ?? {}) as Readonly<Record<string, unknown>>;
    return typeof path === 'string' && typeof content === 'string' ? [{ path, content }] : [];
  });
}
