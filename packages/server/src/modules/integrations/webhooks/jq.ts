import { mappingEvaluator } from '@portolan/jq';
import { nodeRegexEngine } from '@portolan/jq/node';

/** Evaluates expressions of mappings here; in browsers the same is done with another engine for regular expressions. */
export const evaluateJq = mappingEvaluator(nodeRegexEngine);
