import type { ActionInput, UserInputs } from '@portolan/contract/action-inputs';
import { withKey } from '../../kit/json-value.ts';
import { t } from '../../kit/translate.ts';

export type Heading = NonNullable<UserInputs['titles']>[string];

/** A list of inputs and headings: the whole form or one step. */
export interface Section {
  /** Index of the step; undefined for a form without steps, and for items outside all steps. */
  readonly step: number | undefined;
  readonly keys: readonly string[];
}

/** Inputs and headings by section; those without a place come last. */
export function listSections(form: UserInputs): readonly Section[] {
  const keys = [...Object.keys(form.properties), ...Object.keys(form.titles ?? {})];
  const known = (list: readonly string[] | null | undefined) => (list ?? []).filter((key) => keys.includes(key));
  if (!form.steps) {
    const order = known(form.order);
    return [{ step: undefined, keys: [...order, ...keys.filter((key) => !order.includes(key))] }];
  }
  const sections = form.steps.map(({ order }, step) => ({ step, keys: known(order) }));
  const placed = new Set(sections.flatMap(({ keys: some }) => some));
  const rest = keys.filter((key) => !placed.has(key));
  return rest.length > 0 ? [...sections, { step: undefined, keys: rest }] : sections;
}

/** Writes the sections' order into the form; items outside all steps stay there. */
function arranged(form: UserInputs, sections: readonly Section[]): UserInputs {
  if (!form.steps) return { ...form, order: sections.flatMap(({ keys }) => keys) };
  const steps = form.steps.map((step, index) => ({
    ...step,
    order: [...(sections.find((section) => section.step === index)?.keys ?? [])],
  }));
  return { ...form, steps };
}

/** Moves an item to an index of a section. */
export function moved(form: UserInputs, key: string, section: number, index: number): UserInputs {
  const sections = listSections(form);
  const from = sections.findIndex(({ keys }) => keys.includes(key));
  const before = sections[from]?.keys.indexOf(key) ?? -1;
  // removing the item shifts the later ones of its section
  const at = from === section && before < index ? index - 1 : index;
  const without = sections.map(({ step, keys }) => ({ step, keys: keys.filter((each) => each !== key) }));
  return arranged(
    form,
    without.map((each, place) => (place === section ? { ...each, keys: each.keys.toSpliced(at, 0, key) } : each)),
  );
}

/** Moves an item up or down by one, across steps too; returns the same form at either end. */
export function stepped(form: UserInputs, key: string, direction: -1 | 1): UserInputs {
  const sections = listSections(form);
  const section = sections.findIndex(({ keys }) => keys.includes(key));
  const keys = sections[section]?.keys ?? [];
  const index = keys.indexOf(key) + direction;
  if (index >= 0 && index < keys.length) return moved(form, key, section, direction === 1 ? index + 1 : index);
  const next = sections[section + direction];
  if (!next) return form;
  return moved(form, key, section + direction, direction === 1 ? 0 : next.keys.length);
}

/** Adds an input, or replaces the one with the previous key. */
export function withInput(
  form: UserInputs,
  before: string | undefined,
  key: string,
  input: ActionInput,
  isRequired: boolean,
): UserInputs {
  const placed = before === undefined ? appended(form, key) : renamed(form, before, key);
  return required({ ...placed, properties: withKey(placed.properties, key, input) }, key, isRequired);
}

/** Adds a heading, or replaces another. */
export function withHeading(form: UserInputs, before: string | undefined, key: string, heading: Heading): UserInputs {
  const placed = before === undefined ? appended(form, key) : renamed(form, before, key);
  return { ...placed, titles: withKey(placed.titles ?? {}, key, heading) };
}

/** Removes an input or a heading with its references. */
export function without(form: UserInputs, key: string): UserInputs {
  const drop = (list: readonly string[] | null | undefined) => (list ?? []).filter((each) => each !== key);
  const titles = withKey<Heading>(form.titles ?? {}, key, undefined);
  const properties = Object.fromEntries(
    Object.entries(withKey<ActionInput>(form.properties, key, undefined)).map(([name, input]) => [
      name,
      input.dependsOn?.includes(key) ? { ...input, dependsOn: drop(input.dependsOn) } : input,
    ]),
  );
  return {
    ...form,
    properties,
    ...(Array.isArray(form.required) ? { required: drop(form.required) } : {}),
    ...(form.titles ? { titles } : {}),
    ...(form.order ? { order: drop(form.order) } : {}),
    ...(form.steps ? { steps: form.steps.map((step) => ({ ...step, order: drop(step.order) })) } : {}),
  };
}

/** Turns a plain form into one with steps: a first step with all items. */
export function inSteps(form: UserInputs): UserInputs {
  if (form.steps) return form;
  const { order, ...rest } = form;
  return { ...rest, steps: [{ title: t('First step'), order: listSections(form).flatMap(({ keys }) => [...keys]) }] };
}

/** Turns a form with steps into a plain one. */
export function inOneList(form: UserInputs): UserInputs {
  const { steps, ...rest } = form;
  return { ...rest, order: listSections(form).flatMap(({ keys }) => [...keys]) };
}

export function withStep(form: UserInputs, title: string): UserInputs {
  const stepwise = inSteps(form);
  return { ...stepwise, steps: [...(stepwise.steps ?? []), { title, order: [] }] };
}

/**
 * Removes a step; its items move to the previous step, or else the next. Removing the only step leaves a plain form.
 */
export function withoutStep(form: UserInputs, index: number): UserInputs {
  const steps = form.steps ?? [];
  if (steps.length < 2) return inOneList(form);
  const keys = steps[index]?.order ?? [];
  const heir = index === 0 ? 1 : index - 1;
  const left = steps.map((step, at) =>
    at === heir
      ? { ...step, order: index < heir ? [...keys, ...(step.order ?? [])] : [...(step.order ?? []), ...keys] }
      : step,
  );
  return { ...form, steps: left.toSpliced(index, 1) };
}

function appended(form: UserInputs, key: string): UserInputs {
  const sections = listSections(form);
  const last = form.steps ? form.steps.length - 1 : 0;
  return arranged(
    form,
    sections.map((section, index) => (index === last ? { ...section, keys: [...section.keys, key] } : section)),
  );
}

/** Renames a key and its references; expressions are not rewritten. */
function renamed(form: UserInputs, from: string, to: string): UserInputs {
  if (from === to) return form;
  const rename = (list: readonly string[] | null | undefined) =>
    (list ?? []).map((each) => (each === from ? to : each));
  const keyed = <Value>(map: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(map).map(([key, value]) => [key === from ? to : key, value]));
  return {
    ...form,
    properties: Object.fromEntries(
      Object.entries(keyed(form.properties)).map(([key, input]) => [
        key,
        input.dependsOn ? { ...input, dependsOn: rename(input.dependsOn) } : input,
      ]),
    ),
    ...(Array.isArray(form.required) ? { required: rename(form.required) } : {}),
    ...(form.titles ? { titles: keyed(form.titles) } : {}),
    ...(form.order ? { order: rename(form.order) } : {}),
    ...(form.steps ? { steps: form.steps.map((step) => ({ ...step, order: rename(step.order) })) } : {}),
  };
}

/** Updates the list of required inputs; an expression is left unchanged. */
function required(form: UserInputs, key: string, isRequired: boolean): UserInputs {
  const list = form.required ?? [];
  if (!Array.isArray(list)) return form;
  const others = list.filter((each) => each !== key);
  if (isRequired) return list.includes(key) ? form : { ...form, required: [...others, key] };
  return form.required ? { ...form, required: others } : form;
}
