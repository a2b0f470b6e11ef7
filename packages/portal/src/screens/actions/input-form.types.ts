import type { ActionInput } from '@portolan/contract/action-inputs';

export interface InputFieldsProps {
  readonly input: ActionInput;
  /** Undefined takes a key away. */
  readonly set: (key: string, value: unknown) => void;
}
