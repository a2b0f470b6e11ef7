import type { FormState } from '@portolan/contract/action-forms';
import type { ActionInput, UserInputs } from '@portolan/contract/action-inputs';
import { t } from '../kit/translate.ts';

/** Values of a form by input key: null if emptied, absent if untouched. */
export type FormValues = Readonly<Record<string, unknown>>;

/** A heading or an input. */
type FormItem =
  | { readonly kind: 'title'; readonly key: string; readonly title: string; readonly description?: string | undefined }
  | { readonly kind: 'input'; readonly key: string; readonly input: ActionInput };

export interface FormSection {
  readonly title: string | undefined;
  readonly items: readonly FormItem[];
}

/** The visible parts of a form, section by section; inputs that no step or order names come last. */
export function listFormSections(form: UserInputs, state: FormState | undefined): FormSection[] {
  const titles = form.titles ?? {};
  const item = (key: string): FormItem[] => {
    const input = Object.hasOwn(form.properties, key) ? form.properties[key] : undefined;
    if (input) return (state?.inputs[key]?.isVisible ?? input.visible !== false) ? [{ kind: 'input', key, input }] : [];
    const title = Object.hasOwn(titles, key) ? titles[key] : undefined;
    if (!title || state?.hiddenTitles.includes(key)) return [];
    return [{ kind: 'title', key, title: title.title, description: title.description ?? undefined }];
  };
  const keys = Object.keys(form.properties);
  const steps = form.steps ?? [{ title: '', order: form.order ?? keys, visible: null }];
  const named = new Set(steps.flatMap(({ order }) => order ?? []));
  const rest = keys.filter((key) => !named.has(key));
  return [
    ...steps.flatMap(({ title, order }, index) =>
      state?.hiddenSteps.includes(index)
        ? []
        : [{ title: title || undefined, items: [...(order ?? []), ...(form.steps ? [] : rest)].flatMap(item) }],
    ),
    ...(form.steps && rest.length > 0 ? [{ title: t('More'), items: rest.flatMap(item) }] : []),
  ].filter(({ items }) => items.some(({ kind }) => kind === 'input'));
}

/** Sets a value; inputs that depend on it, directly or indirectly, return to their defaults. */
export function withChange({ properties }: UserInputs, values: FormValues, key: string, value: unknown): FormValues {
  const outdated = new Set<string>();
  const visit = (changed: string) => {
    for (const [name, { dependsOn }] of Object.entries(properties)) {
      if (name === key || outdated.has(name) || !dependsOn?.includes(changed)) continue;
      outdated.add(name);
      visit(name);
    }
  };
  visit(key);
  const kept = Object.entries(values).filter(([name]) => name !== key && !outdated.has(name));
  return { ...Object.fromEntries(kept), [key]: value };
}

export function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** The values sent for evaluation while typing: secrets are left out until the form is sent. */
export function withoutSecrets({ properties }: UserInputs, values: FormValues): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !properties[key]?.encryption));
}

/** The values to submit: those of visible inputs, defaults included. The server determines hidden inputs. */
export function valuesToSend({ properties }: UserInputs, typed: FormValues, state: FormState | undefined): FormValues {
  const all: FormValues = { ...state?.values, ...typed };
  const shown = Object.entries(all).filter(
    ([key, value]) =>
      Object.hasOwn(properties, key) && (state?.inputs[key]?.isVisible ?? true) && !(value === null && !(key in typed)),
  );
  return Object.fromEntries(shown);
}

/** Prefilled values from a link, converted to the types of their inputs: the router parses what looks like a number. */
export function valuesOfAddress({ properties }: UserInputs, search: FormValues): FormValues {
  const values = Object.entries(search).flatMap(([key, value]): [string, unknown][] => {
    const input = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!input || input.encryption) return [];
    if (input.type === 'string') return [[key, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
    if (input.type === 'number') return Number.isFinite(Number(value)) ? [[key, Number(value)]] : [];
    if (input.type === 'boolean') return [[key, value === true || value === 'true' || value === 1]];
    if (input.type === 'array') return [[key, Array.isArray(value) ? value : [value]]];
    return typeof value === 'object' && value !== null ? [[key, value]] : [];
  });
  return Object.fromEntries(values);
}

/** Issues by input; those of no input under an empty key. */
export function issuesByInput(
  issues: readonly { readonly path: string; readonly message: string }[],
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { path: told, message } of issues) {
    // a run of a workflow calls them its inputs
    const path = told.replace(/^\/inputs\//, '/properties/');
    const [, key, ...rest] = /^(?:\/properties)?\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    const isInput = path.startsWith('/properties/') && key !== undefined;
    const name = isInput ? key.replaceAll('~1', '/').replaceAll('~0', '~') : '';
    const place = rest[0] ? `${rest[0].slice(1)} ` : isInput ? '' : `${path.replace(/^\//, '')} `;
    found[name] = [found[name], `${place}${message}`].filter(Boolean).join('; ');
  }
  return found;
}
