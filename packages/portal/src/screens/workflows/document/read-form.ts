import type { UserInputs } from '@portolan/contract/action-inputs';
import { isRecord } from '@portolan/contract/json-value';
import type { NodeConfig } from './definition.ts';

/** The form of a node, with no inputs where the node has none yet. */
export function readForm({ userInputs }: NodeConfig): UserInputs {
  const form = isRecord(userInputs) ? userInputs : {};
  return { ...form, properties: isRecord(form['properties']) ? form['properties'] : {} } as unknown as UserInputs;
}
