import type { ActionInput } from '@portolan/contract/action-inputs';

type Values = Readonly<Record<string, unknown>>;

/** A form that a call filled in, as far as the caller may see it. */
export interface FilledForm {
  readonly title: string;
  readonly inputs: Readonly<Record<string, ActionInput>>;
  readonly values: Values;
}

/** A call of a past answer, with what its name stood for. */
export type DrawnCall =
  | (FilledForm & {
      readonly kind: 'action';
      readonly action: string;
      /** Of the entity that it acted on. */
      readonly blueprint: string | undefined;
      readonly entity: unknown;
    })
  | (FilledForm & { readonly kind: 'workflow'; readonly workflow: string; readonly node: string })
  | { readonly kind: 'tool'; readonly name: string; readonly given: Values }
  /** One that no step does: it failed, or it is not there any more, or not for the caller. */
  | { readonly kind: 'none'; readonly name: string; readonly why: 'failed' | 'gone' };

/** A call as the answer has it. */
export interface RecordedCall {
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
  readonly isError?: boolean;
}
