import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { FormState } from '@portolan/contract/action-forms';
import type { SelfServiceTrigger } from '@portolan/contract/actions';
import { isRecord } from '@portolan/contract/json-value';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { type AnswerOf, ApiError, call } from '../api/api.ts';
import { useRead } from '../api/query.ts';
import { useCommands } from '../frame/commands.tsx';
import { CodeEditor } from '../kit/code-editor.tsx';
import { ErrorState, TextSkeleton } from '../kit/states.tsx';
import { t } from '../kit/translate.ts';
import { useAskForAccess } from './access/ask-for-access.tsx';
import { Needs } from './access/needs.tsx';
import { WhoCanGrant } from './access/who-can-grant.tsx';
import { runPermit } from './actions/may-run.ts';
import classes from './form.module.css';
import { FormField, fieldId } from './form-field.tsx';
import {
  type FormValues,
  issuesByInput,
  isUnset,
  listFormSections,
  valuesToSend,
  withChange,
  withoutSecrets,
} from './form-model.ts';
import { sealInput } from './seal-input.ts';
import { useFocusOnFirst } from './use-focus-on-first.ts';

/** The self-service trigger of an action; undefined if it has another trigger. */
export function formTrigger(trigger: unknown): SelfServiceTrigger | undefined {
  const { type } = (trigger ?? {}) as { type?: unknown };
  return type === 'self-service' ? (trigger as SelfServiceTrigger) : undefined;
}

export interface FormButton {
  readonly identifier: string;
  readonly label: string;
  readonly color?: 'red' | undefined;
}

export interface ActionFormProps {
  readonly action: string;
  readonly trigger: SelfServiceTrigger;
  readonly entity?: string | undefined;
  /** Prefilled values, from a link, a run or a draft. */
  readonly initial?: FormValues;
  readonly verb: string;
  /** Several ways to send the form, each a button; `verb` alone without them. */
  readonly buttons?: readonly FormButton[] | undefined;
  /** Evaluates the form where it belongs to no action. */
  readonly evaluate?: ((values: FormValues) => Promise<FormState>) | undefined;
  /** Sends the values. Throws a refusal, which the form shows at its inputs. */
  readonly onSend: (properties: FormValues, button?: string) => Promise<void>;
  readonly onCancel?: () => void;
  /** Called with the typed values, so that they can be kept in the address. */
  readonly onTyped?: (values: FormValues) => void;
  readonly isDangerous?: boolean;
  /** The form is what its screen is for: the first input that needs a value gets the focus. */
  readonly takesFocus?: boolean;
  /** The entity is the first of many: what the server says about it does not hold for the others. */
  readonly isForMany?: boolean;
  /** The form is one of several on its screen: it registers no shortcuts, and says nothing where it has no inputs. */
  readonly isPlain?: boolean;
  /** The unsaved definition during a trial of the form; the form then registers no shortcuts. */
  readonly unsaved?: object | undefined;
}

/**
 * The form of an action. The server evaluates it while it is being filled; typed values are never lost. Secrets leave
 * the page only on submit.
 */
export function ActionForm(props: ActionFormProps) {
  const { action, trigger, verb, buttons, onCancel, isDangerous, isForMany = false, isPlain, unsaved } = props;
  const form = trigger.userInputs;
  const filling = useFilling(props);
  const { state, typed, errors, isSending, failure, write, send } = filling;
  useFocusOnFirst(props.takesFocus ? state : undefined, form);
  const [isCode, setCode] = useState(false);
  useCommands(
    unsaved || isPlain
      ? []
      : [
          { id: `run ${action}`, label: verb, keys: 'mod+enter', run: () => void send() },
          {
            id: `code ${action}`,
            label: isCode ? t('Show the form') : t('Show the inputs as JSON'),
            keys: 'mod+.',
            run: () => setCode(!isCode),
          },
        ],
  );
  if (filling.evaluation.error && !state) {
    return <ErrorState error={filling.evaluation.error} onRetry={() => void filling.evaluation.refetch()} />;
  }
  if (!state) return <TextSkeleton lines={Object.keys(form.properties).length * 2 || 3} />;
  const sections = listFormSections(form, state);
  return (
    <form
      className={classes.form}
      noValidate
      aria-label={verb}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {isCode ? (
        <JsonTwin values={withoutSecrets(form, { ...state.values, ...typed })} onChange={filling.replace} />
      ) : (
        sections.map(({ title, items }, index) => (
          <section key={title ?? `section ${index}`} className={classes.section} aria-label={title ?? t('Inputs')}>
            {title && (
              <Title order={2} size="h3">
                {title}
              </Title>
            )}
            {items.map((item) =>
              item.kind === 'title' ? (
                <div key={item.key} className={classes.subheading}>
                  <Title order={title ? 3 : 2} fz="0.875rem">
                    {item.title}
                  </Title>
                  {item.description && <Text c="dimmed">{item.description}</Text>}
                </div>
              ) : (
                <FormField
                  key={item.key}
                  name={item.key}
                  input={item.input}
                  state={state.inputs[item.key]}
                  value={item.key in typed ? typed[item.key] : state.values[item.key]}
                  error={errors[item.key]}
                  onChange={(value) => write(item.key, value)}
                  onBlur={() => filling.leave(item.key)}
                  onProblem={(problem) => filling.setProblem(item.key, problem)}
                />
              ),
            )}
          </section>
        ))
      )}
      {sections.length === 0 && !isPlain && <Text c="dimmed">{t('This action needs no input.')}</Text>}
      {errors[''] && (
        <Alert color="red" role="alert" title={t('This cannot be sent yet')}>
          {errors['']}
        </Alert>
      )}
      {failure !== undefined && (
        <ErrorState error={failure} what={t('The request was not sent. Nothing was changed')} />
      )}
      {!state.mayRun && !isForMany && (
        <Alert color="yellow" title={t('You may not run this with these inputs')}>
          <WhoCanGrant />
        </Alert>
      )}
      <div className={classes.buttons}>
        <Needs permit={runPermit(state.mayRun || isForMany)} to={runs}>
          <Button type="submit" loading={isSending} {...(isDangerous || buttons?.[0]?.color ? { color: 'red' } : {})}>
            {buttons?.[0]?.label ?? verb}
          </Button>
        </Needs>
        {buttons?.slice(1).map(({ identifier, label, color }) => (
          <Needs key={identifier} permit={runPermit(state.mayRun)} to={runs}>
            <Button
              variant="default"
              disabled={isSending}
              {...(color ? { c: 'var(--danger)' } : {})}
              onClick={() => void send(identifier)}
            >
              {label}
            </Button>
          </Needs>
        ))}
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {t('Cancel')}
          </Button>
        )}
        <Button variant="subtle" color="gray" onClick={() => setCode(!isCode)} aria-pressed={isCode}>
          {isCode ? t('Form') : 'JSON'}
        </Button>
      </div>
    </form>
  );
}

const runs = t('run this action with these inputs');

/** The state of the form while it is being filled. */
function useFilling({
  action,
  trigger,
  entity,
  initial = {},
  unsaved,
  isForMany = false,
  buttons,
  evaluate,
  onSend,
  onTyped,
}: ActionFormProps) {
  const ask = useAskForAccess();
  const form = trigger.userInputs;
  const [typed, setTyped] = useState<FormValues>(initial);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [problems, setProblems] = useState<Readonly<Record<string, string | undefined>>>({});
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const sending = useRef(false);
  const operation = unsaved ? 'testForm' : 'evaluateForm';
  const asked = (values: FormValues) => {
    const body = { properties: withoutSecrets(form, values), ...(entity ? { entity } : {}) };
    return unsaved ? { body: { action: unsaved, ...body } } : { params: { action_identifier: action }, body };
  };
  const [settled] = useDebouncedValue(typed, 250);
  const asks = useRead(operation, asked(settled) as never, { keepsPrevious: true, isOn: !evaluate });
  const own = useQuery({
    queryKey: ['form', action, settled],
    queryFn: () => evaluate?.(settled),
    enabled: evaluate !== undefined,
    placeholderData: (before) => before,
  });
  const evaluation = evaluate ? own : asks;
  const state = evaluate ? own.data : asks.data && toFormState(asks.data);

  const change = (values: FormValues) => {
    setTyped(values);
    setRefused({});
    setFailure(undefined);
    onTyped?.(values);
  };
  const found = issuesByInput(state?.issues ?? []);
  const isBehind = settled !== typed || evaluation.isPlaceholderData;
  /** The server's finding is about an older value of this input. */
  const isOutdated = (key: string) =>
    isBehind && key in typed && JSON.stringify(typed[key]) !== JSON.stringify(state?.values[key]);
  const errors: Record<string, string> = { ...(found[''] ? { '': found[''] } : {}) };
  for (const key of Object.keys(form.properties)) {
    const value = key in typed ? typed[key] : state?.values[key];
    // the server does not see secrets before the form is sent
    const isUnseen = isOutdated(key) || (form.properties[key]?.encryption && !isUnset(value));
    const seen = isUnseen ? undefined : found[key];
    const error = problems[key] ?? refused[key] ?? (left.has(key) ? seen : undefined);
    if (error) errors[key] = error;
  }
  if (refused['']) errors[''] = refused[''];

  const refuse = (issues: Readonly<Record<string, string>>) => {
    setRefused(issues);
    const first = Object.keys(form.properties).find((key) => issues[key]);
    if (first) requestAnimationFrame(() => document.getElementById(fieldId(first))?.focus());
  };
  const send = async (button = buttons?.[0]?.identifier) => {
    if (sending.current) return;
    sending.current = true;
    setSending(true);
    setFailure(undefined);
    try {
      const wrong = Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem)) as Record<
        string,
        string
      >;
      if (Object.keys(wrong).length > 0) return refuse(wrong);
      // evaluate again: the last key press may have changed the form
      const last = await (evaluate?.(typed) ?? call(operation, asked(typed) as never).then(toFormState));
      if (!last.mayRun && !isForMany) return ask({ to: runs, needs: runPermit(false).needs });
      // the server has not seen the secrets: it validates them when the form is sent
      const wanting = issuesByInput(last.issues);
      const known = Object.entries(wanting).filter(
        ([key]) => !(form.properties[key]?.encryption && !isUnset(typed[key])),
      );
      if (known.length > 0) return refuse(Object.fromEntries(known));
      const values = await sealed(trigger, valuesToSend(form, typed, last));
      if ('issues' in values) return refuse(values.issues);
      await onSend(values.values, button);
    } catch (error) {
      const details = error instanceof ApiError ? error.body?.details : undefined;
      const issues = Array.isArray(details) ? issuesByInput(details) : {};
      if (Object.keys(issues).length > 0) refuse(issues);
      else setFailure(error);
    } finally {
      sending.current = false;
      setSending(false);
    }
  };
  return {
    state,
    typed,
    errors,
    failure,
    isSending,
    evaluation,
    send,
    write: (key: string, value: unknown) => change(withChange(form, typed, key, value)),
    replace: (values: FormValues) => {
      const secrets = Object.entries(typed).filter(([key]) => form.properties[key]?.encryption);
      change({ ...values, ...Object.fromEntries(secrets) });
    },
    leave: (key: string) => setLeft((before) => (before.has(key) ? before : new Set([...before, key]))),
    setProblem: (key: string, problem: string | undefined) => setProblems((before) => ({ ...before, [key]: problem })),
  };
}

function toFormState(answer: AnswerOf<'evaluateForm'> | AnswerOf<'testForm'>): FormState {
  return ('test' in answer ? answer.test.form : answer.form) as FormState;
}

type SealedInputs = { readonly values: FormValues } | { readonly issues: Readonly<Record<string, string>> };

/** Encrypts the inputs that only the holder of a key may read. */
async function sealed({ userInputs: { properties } }: SelfServiceTrigger, values: FormValues): Promise<SealedInputs> {
  const ready: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    const input = properties[key];
    const encryption = input?.encryption;
    ready[key] = value;
    if (!encryption || isUnset(value)) continue;
    const text = String(value);
    try {
      const plain: unknown = input.type === 'object' ? JSON.parse(text) : text;
      ready[key] = typeof encryption === 'object' ? await sealInput(text, encryption.key) : plain;
    } catch (error) {
      return { issues: { [key]: (error as Error).message } };
    }
  }
  return { values: ready };
}

function JsonTwin({ values, onChange }: { values: FormValues; onChange: (values: FormValues) => void }): ReactNode {
  const [text, setText] = useState(() => JSON.stringify(values, null, 2));
  const [problem, setProblem] = useState('');
  return (
    <Stack gap="xs">
      <CodeEditor
        value={text}
        language="json"
        label={t('Inputs as JSON')}
        minHeight={240}
        onChange={(next) => {
          setText(next);
          try {
            const read: unknown = JSON.parse(next);
            if (!isRecord(read)) throw new Error(t('The JSON must be an object'));
            setProblem('');
            onChange(read as FormValues);
          } catch (error) {
            setProblem((error as Error).message);
          }
        }}
      />
      <Text size="sm" c={problem ? 'var(--danger)' : 'dimmed'} role="status">
        {problem || t('Secrets are not shown here.')}
      </Text>
    </Stack>
  );
}
