import type { Actor } from '../../../platform/actor.ts';
import { invalidRequest, notFound } from '../../../platform/errors.ts';
import type { ReadDeps } from '../../entities/index.ts';
import { findGuidance, type Guidance, listGuidance, toText } from './read-guidance.ts';

export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
}

interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

/** Prompts of an organization, and the built-in one. */
export interface Prompts {
  list(actor: Actor): Promise<readonly Prompt[]>;
  /** @throws AppError `not_found`, `invalid_request` for missing arguments */
  get(
    actor: Actor,
    name: string,
    values: Readonly<Record<string, string>>,
  ): Promise<{ readonly description: string; readonly text: string }>;
}

/** Characters that arguments may add: a template can repeat a placeholder many times. */
const addedMax = 500_000;

const troubleshoot: Prompt & { readonly template: string } = {
  name: 'troubleshoot_integration',
  title: 'Troubleshoot an integration',
  description: 'Finds out why an integration brings in no data or wrong data, and what to do about it',
  arguments: [{ name: 'integration', description: 'Identifier of the integration', required: true }],
  template: `Find out what is wrong with the integration "{{integration}}" and say what to do.

1. Load the skill troubleshoot-integration and follow it.
2. Change nothing before I agreed.`,
};

export function createPrompts(deps: ReadDeps): Prompts {
  return {
    list: async (actor) => {
      const own = (await listGuidance(deps, actor, 'prompt')).flatMap((each) => toPrompt(each)?.prompt ?? []);
      const { template: _, ...builtIn } = troubleshoot;
      return own.some(({ name }) => name === builtIn.name) ? own : [builtIn, ...own];
    },
    get: async (actor, name, values) => {
      const entity = await findGuidance(deps, actor, 'prompt', name);
      const own = entity && toPrompt(entity);
      const { prompt, template } = own ?? { prompt: troubleshoot, template: troubleshoot.template };
      if (prompt.name !== name) throw notFound('Prompt', name, 'name');
      const missing = prompt.arguments.filter((each) => each.required && !values[each.name]);
      if (missing.length > 0) {
        throw invalidRequest(
          missing.map((each) => ({ path: `/arguments/${each.name}`, message: 'is required' })),
          'The prompt',
        );
      }
      const named = new Set(prompt.arguments.map((each) => each.name));
      // a single pass, so that placeholders inside values stay text
      let added = 0;
      const text = template.replace(/\{\{\s*([^{}\s]{1,100})\s*\}\}/g, (placeholder, key: string) => {
        if (!named.has(key)) return placeholder;
        const value = values[key] ?? '';
        added += value.length;
        if (added > addedMax) throw invalidRequest([{ path: '/arguments', message: 'make the prompt too long' }]);
        return value;
      });
      return { description: prompt.description, text };
    },
  };
}

/** Returns undefined for an entity without a template. */
function toPrompt({ identifier, title, properties }: Guidance): { prompt: Prompt; template: string } | undefined {
  const template = toText(properties['template']);
  if (template === undefined) return undefined;
  const description = toText(properties['description']) ?? title;
  return {
    prompt: { name: identifier, title, description, arguments: toArguments(properties['arguments']) },
    template,
  };
}

function toArguments(value: unknown): PromptArgument[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, 50).flatMap((each) => {
    const { name, description, required } = (each ?? {}) as Readonly<Record<string, unknown>>;
    const told = toText(description);
    const named = toText(name);
    return named === undefined
      ? []
      : [{ name: named, ...(told === undefined ? {} : { description: told }), required: required === true }];
  });
}
