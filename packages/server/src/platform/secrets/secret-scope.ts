import { JsonText } from '../db/json.ts';
import { createMatcher, type Matcher, type TextStream } from './matcher.ts';
import { secretForms } from './secret-forms.ts';

/** What stands where a secret stood. */
export const mask = '******';

/**
 * The secrets that were opened for one piece of work: a delivery, a request, a look at a workflow. Whoever opens one adds
 * it; whatever keeps, shows or tells something of the work masks it.
 */
export interface SecretScope {
  /** Adds the plain value of a secret. */
  add(value: string): void;
  /** Whether there is nothing to mask. */
  readonly isEmpty: boolean;
  /** The text without the secrets, however they are written in it. */
  maskText(text: string): string;
  /** The same for a text that comes in parts, wherever it is cut; of secrets that were added before it begins. */
  maskStream(): TextStream;
  /** A copy of a JSON value without the secrets, in keys too; the value itself if there are none. */
  mask<Value>(value: Value): Value;
}

/** Secrets of more characters than this, in all, are not looked for one by one: then nothing of the text is shown. */
const charactersMax = 512 * 1024;
/** What lies deeper in a value is not looked at, and so not shown. */
const depthMax = 500;

export function createSecretScope(): SecretScope {
  return new Scope();
}

class Scope implements SecretScope {
  readonly #values = new Set<string>();
  #characters = 0;
  #matcher: Matcher | undefined;

  add(value: string): void {
    if (this.#values.has(value)) return;
    this.#values.add(value);
    this.#characters += value.length;
    this.#matcher = undefined;
  }

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  maskText(text: string): string {
    if (this.isEmpty || text === '') return text;
    return this.#searched()?.replace(text, mask) ?? mask;
  }

  maskStream(): TextStream {
    if (this.isEmpty) return { push: (part) => part, end: () => '' };
    return this.#searched()?.stream(mask) ?? { push: () => '', end: () => mask };
  }

  mask<Value>(value: Value): Value {
    return this.isEmpty ? value : (this.#masked(value, 0) as Value);
  }

  /** Carried by actors, some of which are stored as JSON: of a scope nothing is. */
  toJSON(): undefined {
    return undefined;
  }

  /** Undefined where there is too much to look for. */
  #searched(): Matcher | undefined {
    if (this.#characters > charactersMax) return undefined;
    this.#matcher ??= createMatcher(new Set([...this.#values].flatMap((value) => [...secretForms(value)])));
    return this.#matcher;
  }

  #masked(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.maskText(value);
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    if (depth > depthMax) return mask;
    if (value instanceof JsonText) return new JsonText(JSON.stringify(this.#masked(JSON.parse(value.text), depth)));
    if (Array.isArray(value)) return value.map((item) => this.#masked(item, depth + 1));
    const entries = Object.entries(value).map(([key, item]) => [this.maskText(key), this.#masked(item, depth + 1)]);
    return Object.fromEntries(entries);
  }
}
