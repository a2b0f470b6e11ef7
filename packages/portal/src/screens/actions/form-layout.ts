import type { ActionInput, UserInputs } from '@portolan/contract/action-inputs';
import { withKey } from '../../kit/json-value.ts';

export type Heading = NonNullable<UserInputs['titles']>[string];

/** What stands below each other in a form: in one list, or step by step. */
export interface Section {
  /** The place of the step; undefined for the whole form, and for what no step holds. */
  readonly step: number | undefined;
  readonly keys: readonly string[];
}

/** Where everything stands; inputs and headings that nothing places stand at the end. */
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

/** The form with everything where these sections have it; what stands in no step stays so. */
function arranged(form: UserInputs, sections: readonly Section[]): UserInputs {
  if (!form.steps) return { ...form, order: sections.flatMap(({ keys }) => keys) };
  const steps = form.steps.map((step, index) => ({
    ...step,
    order: [...(sections.find((section) => section.step === index)?.keys ?? [])],
  }));
  return { ...form, steps };
}

/** Takes one up to a place of a section, given by its place among the sections. */
export function moved(form: UserInputs, key: string, section: number, index: number): UserInputs {
  const sections = listSections(form);
  const from = sections.findIndex(({ keys }) => keys.includes(key));
  const before = sections[from]?.keys.indexOf(key) ?? -1;
  // it leaves a gap when it goes down in its own section
  const at = from === section && before < index ? index - 1 : index;
  const without = sections.map(({ step, keys }) => ({ step, keys: keys.filter((each) => each !== key) }));
  return arranged(
    form,
    without.map((each, place) => (place === section ? { ...each, keys: each.keys.toSpliced(at, 0, key) } : each)),
  );
}

/** One place up or down, over the border of a step too; the same form where it cannot go further. */
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

/** The form with an input that is new, or in the place of the one that had another key. */
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

/** The form with a heading that is new, or in the place of another. */
export function withHeading(form: UserInputs, before: string | undefined, key: string, heading: Heading): UserInputs {
  const placed = before === undefined ? appended(form, key) : renamed(form, before, key);
  return { ...placed, titles: withKey(placed.titles ?? {}, key, heading) };
}

/** The form without an input or a heading, and without what named it. */
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

/** The same inputs in steps: everything in the first one. */
export function inSteps(form: UserInputs): UserInputs {
  if (form.steps) return form;
  const { order, ...rest } = form;
  return { ...rest, steps: [{ title: 'First step', order: listSections(form).flatMap(({ keys }) => [...keys]) }] };
}

/** The same inputs below each other. */
export function inOneList(form: UserInputs): UserInputs {
  const { steps, ...rest } = form;
  return { ...rest, order: listSections(form).flatMap(({ keys }) => [...keys]) };
}

export function withStep(form: UserInputs, title: string): UserInputs {
  const stepwise = inSteps(form);
  return { ...stepwise, steps: [...(stepwise.steps ?? []), { title, order: [] }] };
}

/** Without a step; what it held goes into the one before it, or after it. Without the last one there are no steps. */
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

/** The form with another key for an input or heading, wherever it is named; expressions stay as they are written. */
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

/** A list of what is required; where an expression decides, it goes on deciding. */
function required(form: UserInputs, key: string, isRequired: boolean): UserInputs {
  const list = form.required ?? [];
  if (!Array.isArray(list)) return form;
  const others = list.filter((each) => each !== key);
  if (isRequired) return list.includes(key) ? form : { ...form, required: [...others, key] };
  return form.required ? { ...form, required: others } : form;
}
