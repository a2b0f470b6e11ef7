import type { ActionInput } from '@portolan/contract/action-inputs';

export interface InputFieldsProps {
  readonly input: ActionInput;
  /** Undefined removes the key. */
  readonly set: (key: string, value: unknown) => void;
}
