import { ActionIcon, Group, Text, TextInput } from '@mantine/core';
import type { ActionInput, UserInputs } from '@portolan/contract/action-inputs';
import { isRecord } from '@portolan/contract/json-value';
import { ArrowDown, ArrowUp, GripVertical, Pencil, Trash2 } from 'lucide-react';
import type { DragEvent } from 'react';
import { type Issue, issueAt } from '../../kit/refusal.ts';
import surfaces from '../../kit/surfaces.module.css';
import { plural, t } from '../../kit/translate.ts';
import { ColourBadge } from '../badges.tsx';
import { kindLabel } from '../property-kinds.ts';
import { moved, type Section, stepped, without, withoutStep } from './form-layout.ts';
import classes from './user-inputs.module.css';
import { Visibility } from './visibility.tsx';

interface SectionProps {
  readonly form: UserInputs;
  readonly section: Section;
  readonly index: number;
  readonly issues: readonly Issue[];
  readonly dragged: string | undefined;
  readonly onDrag: (key: string | undefined) => void;
  readonly onChange: (form: UserInputs) => void;
  readonly onEdit: (key: string) => void;
}

/** The inputs and headings of a step or form; buttons, keys and dragging reorder them. */
export function FormSectionEditor(props: SectionProps) {
  const { form, section, index, dragged, onDrag, onChange } = props;
  const { step, keys } = section;
  const steps = form.steps ?? [];
  const drop = (event: DragEvent, place: number) => {
    if (dragged === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(moved(form, dragged, index, place));
    onDrag(undefined);
  };
  const isRest = step === undefined && steps.length > 0;
  const name = step === undefined ? (isRest ? t('In no step') : t('Inputs')) : t('Step {value}', { value: step + 1 });
  return (
    <section
      className={surfaces.block}
      aria-label={name}
      onDragOver={(event) => dragged !== undefined && event.preventDefault()}
      onDrop={(event) => drop(event, keys.length)}
    >
      {step !== undefined && <StepHead {...props} step={step} />}
      {isRest && (
        <Text size="sm" fw={500} mb="xs">
          {t('In no step')}
        </Text>
      )}
      {keys.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('Nothing stands here. Add an input, or move one here.')}
        </Text>
      )}
      <ol className={classes.inputs} aria-label={t('Inputs of {name}', { name: name.toLowerCase() })}>
        {keys.map((key, place) => (
          <li
            key={key}
            className={classes.input}
            data-dragged={dragged === key || undefined}
            onDragOver={(event) => dragged !== undefined && event.preventDefault()}
            onDrop={(event) => {
              const { top, height } = event.currentTarget.getBoundingClientRect();
              drop(event, event.clientY > top + height / 2 ? place + 1 : place);
            }}
          >
            <Row {...props} name={key} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function StepHead({ form, step, onChange, issues }: SectionProps & { step: number }) {
  const steps = form.steps ?? [];
  const { title = '', visible } = steps[step] ?? {};
  const set = (part: object) =>
    onChange({ ...form, steps: steps.map((each, at) => (at === step ? { ...each, ...part } : each)) });
  const swap = (by: -1 | 1) => onChange({ ...form, steps: swapped(steps, step, step + by) });
  return (
    <div className={classes.stepHead}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          className={classes.grow ?? ''}
          label={t('Title of step {value}', { value: step + 1 })}
          value={title}
          maxLength={200}
          error={
            title.trim() === ''
              ? t('A step needs a title')
              : issueAt(issues, 'trigger', 'userInputs', 'steps', `${step}`)
          }
          onChange={({ currentTarget }) => set({ title: currentTarget.value })}
        />
        <ActionIcon
          size={36}
          aria-label={t('Move step {value} up', { value: step + 1 })}
          disabled={step === 0}
          onClick={() => swap(-1)}
        >
          <ArrowUp size={16} />
        </ActionIcon>
        <ActionIcon
          size={36}
          aria-label={t('Move step {value} down', { value: step + 1 })}
          disabled={step === steps.length - 1}
          onClick={() => swap(1)}
        >
          <ArrowDown size={16} />
        </ActionIcon>
        <ActionIcon
          size={36}
          aria-label={t('Remove step {value}; its inputs stay', { value: step + 1 })}
          onClick={() => onChange(withoutStep(form, step))}
        >
          <Trash2 size={16} />
        </ActionIcon>
      </Group>
      <Visibility
        label={t('The step shows')}
        value={visible}
        onChange={(next) => {
          const { visible: _before, ...rest } = steps[step] ?? { title: '' };
          const changed = next === undefined ? rest : { ...rest, visible: next };
          onChange({ ...form, steps: steps.map((each, at) => (at === step ? changed : each)) });
        }}
      />
    </div>
  );
}

function swapped<Item>(list: readonly Item[], one: number, other: number): Item[] {
  const next = [...list];
  const [first, second] = [next[one], next[other]];
  if (first === undefined || second === undefined) return next;
  next[one] = second;
  next[other] = first;
  return next;
}

function Row({ form, name, issues, onDrag, onChange, onEdit }: SectionProps & { name: string }) {
  const input = Object.hasOwn(form.properties, name) ? form.properties[name] : undefined;
  const title = (input ? input.title : form.titles?.[name]?.title) || name;
  const place = input ? 'properties' : 'titles';
  const problem = issueAt(issues, 'trigger', 'userInputs', place, name);
  const [up, down] = [stepped(form, name, -1), stepped(form, name, 1)];
  const isRequired = Array.isArray(form.required) && form.required.includes(name);
  return (
    <>
      <button
        type="button"
        draggable
        className={classes.grip}
        aria-label={t('Move {title}', { title })}
        aria-description={t('Arrow keys move it, or drag it')}
        onDragStart={(event) => {
          event.dataTransfer.setData('text/plain', name);
          event.dataTransfer.effectAllowed = 'move';
          onDrag(name);
        }}
        onDragEnd={() => onDrag(undefined)}
        onKeyDown={(event) => {
          const next = { ArrowUp: up, ArrowDown: down }[event.key];
          if (!next || event.altKey || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          onChange(next);
        }}
      >
        <GripVertical size={16} aria-hidden="true" />
      </button>
      <div className={classes.grow}>
        <Group gap="xs">
          <strong dir="auto">{title}</strong>
          <code>{name}</code>
          {input ? (
            <ColourBadge colour="lightGray">{kindLabel(input)}</ColourBadge>
          ) : (
            <ColourBadge colour="purple">{t('Heading')}</ColourBadge>
          )}
          {isRequired && <ColourBadge colour="gold">{t('Required')}</ColourBadge>}
        </Group>
        <Text size="sm" c="dimmed">
          {input ? describeInput(input) : form.titles?.[name]?.description}
        </Text>
        {problem && (
          <Text size="sm" c="var(--danger)" role="alert">
            {problem}
          </Text>
        )}
      </div>
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          size={32}
          aria-label={t('Move {title} up', { title })}
          disabled={up === form}
          onClick={() => onChange(up)}
        >
          <ArrowUp size={16} />
        </ActionIcon>
        <ActionIcon
          size={32}
          aria-label={t('Move {title} down', { title })}
          disabled={down === form}
          onClick={() => onChange(down)}
        >
          <ArrowDown size={16} />
        </ActionIcon>
        <ActionIcon size={32} aria-label={t('Edit {title}', { title })} onClick={() => onEdit(name)}>
          <Pencil size={16} />
        </ActionIcon>
        <ActionIcon size={32} aria-label={t('Remove {title}', { title })} onClick={() => onChange(without(form, name))}>
          <Trash2 size={16} />
        </ActionIcon>
      </Group>
    </>
  );
}

/** The details of an input in words. */
function describeInput({
  visible,
  disabled,
  dependsOn,
  encryption,
  default: standard,
  enum: choices,
}: ActionInput): string {
  return [
    visible === false ? 'hidden' : isRecord(visible) ? t('shows under a condition') : '',
    disabled === true ? t('cannot be changed') : isRecord(disabled) ? t('can be changed under a condition') : '',
    dependsOn && dependsOn.length > 0 ? t('depends on {dependsOn}', { dependsOn: dependsOn.join(', ') }) : '',
    standard === undefined || standard === null ? '' : t('default {standard}', { standard: defaultWords(standard) }),
    Array.isArray(choices)
      ? plural(choices.length, '{count} choice', '{count} choices')
      : isRecord(choices)
        ? t('computed choices')
        : '',
    encryption ? 'encrypted' : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

function defaultWords(standard: unknown): string {
  if (isRecord(standard) && 'jqQuery' in standard) return 'computed';
  const text = JSON.stringify(standard);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
