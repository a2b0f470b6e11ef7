import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { type AnswerOf, call, type InputOf, type OperationName } from '../api/api.ts';
import { useRefresh } from '../api/query.ts';
import { Dialog } from './dialog.tsx';
import { pathSegments, readIssues } from './refusal.ts';
import { ErrorState } from './states.tsx';
import { useToast } from './toasts.tsx';
import { t } from './translate.ts';
import { useLeaveGuard } from './use-leave-guard.ts';

interface FormSettings<Values, Answer> {
  readonly initial: Values;
  readonly send: (values: Values) => Promise<Answer>;
  /** Reads to invalidate. */
  readonly staleAfter?: readonly OperationName[];
  /** The toast after saving. */
  readonly done?: string | ((values: Values, answer: Answer) => string);
  readonly onSaved?: (answer: Answer, values: Values) => void | Promise<void>;
  /** Named in the dialog on leaving without saving; without it there is no such dialog. */
  readonly guards?: string;
  /**
   * Maps the path of an issue, such as `security/secret`, to its field if the path does not contain the field's name.
   */
  readonly places?: Readonly<Record<string, keyof Values & string>>;
}

/** Thrown by `send` for a problem that it finds in a field before the request. */
export class FieldProblem extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * Form state and submission: never sends twice at once, shows the server's issues at their fields, focuses the first of
 * them, and keeps the input after a refusal.
 */
export function useSentForm<Values extends Record<string, unknown>, Answer>(settings: FormSettings<Values, Answer>) {
  // used to look up fields in the DOM; the name allows only letters, digits and dashes
  const name = useId().replaceAll(/\W|_/g, '-');
  const form = useForm<Values>({ name, initialValues: settings.initial });
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const isSending = useRef(false);
  const refresh = useRefresh();
  const toast = useToast();
  useLeaveGuard(() => settings.guards !== undefined && form.isDirty(), settings.guards ?? '');

  const showIssues = (refusal: unknown) => {
    const found: Record<string, string> = {};
    if (refusal instanceof FieldProblem) found[refusal.field] = refusal.message;
    for (const { path, message } of readIssues(refusal)) {
      const field = fieldAt(pathSegments(path), form.getValues(), settings.places ?? {});
      if (field !== undefined) found[field] = found[field] === undefined ? message : `${found[field]}; ${message}`;
    }
    form.setErrors(found);
    const first = Object.keys(form.getValues()).find((field) => Object.hasOwn(found, field));
    if (first !== undefined) form.getInputNode(first)?.focus();
  };

  const submit = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault();
    // a form in a dialog may be nested in another form
    event?.stopPropagation();
    if (isSending.current) return;
    isSending.current = true;
    const values = form.getValues();
    const { send, staleAfter = [], done, onSaved } = settings;
    setBusy(true);
    setError(undefined);
    form.clearErrors();
    try {
      const answer = await send(values);
      form.resetDirty(values);
      await refresh(staleAfter);
      if (done !== undefined) toast(typeof done === 'string' ? done : done(values, answer));
      await onSaved?.(answer, values);
    } catch (caught) {
      if (!(caught instanceof FieldProblem)) setError(caught as Error);
      showIssues(caught);
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  };

  return {
    values: form.values,
    isDirty: form.isDirty(),
    isBusy,
    error,
    submit,
    set: (changed: Partial<Values>) => form.setValues(changed),
    /** The value, change handler and error for an input. */
    field: (name: keyof Values & string) => form.getInputProps(name),
    /** The same for a checkbox or switch. */
    box: (name: keyof Values & string) => form.getInputProps(name, { type: 'checkbox' }),
  };
}

interface ContractSettings<Name extends OperationName, Values>
  extends Omit<FormSettings<Values, AnswerOf<Name>>, 'send'> {
  readonly input: (values: Values) => InputOf<Name>;
}

/** A form whose values become one operation call. */
export function useContractForm<Name extends OperationName, Values extends Record<string, unknown>>(
  operation: Name,
  { input, ...settings }: ContractSettings<Name, Values>,
) {
  const form = useSentForm<Values, AnswerOf<Name>>({ ...settings, send: (values) => call(operation, input(values)) });
  return { ...form, operation };
}

interface ShownForm {
  /** What the form sends, for journeys that look at what is offered to whom. */
  readonly operation?: OperationName;
  readonly error: Error | undefined;
  readonly isBusy: boolean;
  readonly submit: (event?: FormEvent) => Promise<void>;
}

/** The body of a form, in its own dialog or an existing one: error, inputs, Cancel and the verb. */
export function FormBody({
  form,
  verb,
  refused = t('Not saved'),
  refusal = (error) => <ErrorState error={error} what={refused} />,
  isReady = true,
  onClose,
  children,
}: {
  readonly form: ShownForm;
  readonly verb: string;
  /** Title of the error. */
  readonly refused?: string | undefined;
  /** Replaces the usual presentation of an error. */
  readonly refusal?: (error: Error) => ReactNode;
  readonly isReady?: boolean;
  readonly onClose?: (() => void) | undefined;
  readonly children: ReactNode;
}) {
  return (
    <form onSubmit={(event) => void form.submit(event)}>
      <Stack>
        {form.error && refusal(form.error)}
        {children}
        <Group justify="flex-end">
          {onClose && (
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
          )}
          <Button type="submit" loading={form.isBusy} disabled={!isReady} data-operation={form.operation}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function DialogForm({
  title,
  size,
  ...body
}: Parameters<typeof FormBody>[0] & {
  readonly title: string;
  readonly size?: string;
  readonly onClose: () => void;
}) {
  return (
    <Dialog opened onClose={body.onClose} title={title} {...(size ? { size } : {})}>
      <FormBody {...body} />
    </Dialog>
  );
}

/** The field of an issue: the longest prefix of its path in `places`, else its first segment that is a field. */
function fieldAt<Values extends object>(
  segments: readonly string[],
  values: Values,
  places: Readonly<Record<string, string>>,
): string | undefined {
  for (let length = segments.length; length > 0; length -= 1) {
    const place = places[segments.slice(0, length).join('/')];
    if (place !== undefined) return place;
  }
  return segments.find((segment) => Object.hasOwn(values, segment));
}
