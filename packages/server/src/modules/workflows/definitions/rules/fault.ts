import type { WorkflowIssue } from '@portolan/contract/workflows';
import type { WorkflowConnection, WorkflowNode } from '../workflow.ts';

/** The rules of workflows by their codes; each fault names the one that it breaks. */
export type RuleCode =
  | 'shape'
  | 'old_form'
  | 'too_large'
  | 'no_trigger'
  | 'duplicate_node'
  | 'duplicate_outlet'
  | 'duplicate_button'
  | 'unknown_node'
  | 'self_connection'
  | 'trigger_entered'
  | 'cycle'
  | 'second_connection'
  | 'outlet_missing'
  | 'unknown_outlet'
  | 'outlet_not_allowed'
  | 'fallback_not_allowed'
  | 'outlet_without_button'
  | 'cron_invalid'
  | 'cron_too_often'
  | 'timer_without_property'
  | 'model_without_provider'
  | 'delay_without_time'
  | 'transform_without_value'
  | 'unusable_context'
  | 'query_invalid'
  | 'address_needed'
  | 'secret_in_words'
  | 'form'
  | 'jq'
  | 'secret_would_be_shown'
  | 'trigger_misplaced'
  | 'second_item_trigger'
  | 'nested_too_deep'
  | 'branches_number'
  | 'map_without_items'
  | 'map_without_body'
  | 'recursion'
  | 'compensation_not_allowed'
  | 'compensation_unusable'
  | 'compensation_shared'
  | 'compensation_connected'
  | 'compensation_loop';

export interface Fault extends WorkflowIssue {
  readonly code: RuleCode;
}

/** What does not keep a workflow from being saved, and probably was not meant. */
export type WarningCode =
  | 'unknown_output'
  | 'unreachable_node'
  | 'button_without_outlet'
  | 'nobody_can_go_on'
  | 'not_supported'
  | 'unusable_key'
  | 'unmet_condition'
  | 'unresolved_reference'
  | 'restricted_token';

export interface Warning extends WorkflowIssue {
  readonly code: WarningCode;
}

/** A part of a definition with its JSON pointer. */
export interface Placed<Part> {
  readonly at: string;
  readonly part: Part;
}

/** What can be read of a definition, whatever else is wrong in it. */
export interface Readable {
  readonly nodes: readonly Placed<WorkflowNode>[];
  readonly connections: readonly Placed<WorkflowConnection>[];
}
