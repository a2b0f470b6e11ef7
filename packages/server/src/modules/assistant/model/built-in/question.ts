/** What a question is about if it asks nothing about entities; everything else is parsed against the catalog. */
export type Intent =
  | { readonly kind: 'help' }
  | { readonly kind: 'who-am-i' }
  | { readonly kind: 'list-blueprints' }
  | { readonly kind: 'action'; readonly verb: string; readonly text: string; readonly rest: string }
  | { readonly kind: 'question' };

const please = '(?:please |can you |could you |would you |i want to |i would like to |lets |let us )*';
const help =
  /^(?:help|hi|hello|hey)(?: there)?$|^(?:help me )?what can (?:you|i) (?:do|ask)(?: you)?(?: here)?$|^what do you do$|^how (?:do|can) i use (?:you|this|it)$/;
const whoAmI =
  /^who am i$|^what (?:are|is) my (?:roles?|teams?|rights?|permissions?|name)$|^(?:show )?my (?:profile|account|roles?|teams?)$|^(?:which|what) (?:teams?|roles?) (?:am i in|do i have|am i on)$/;
const types =
  /^(?:list|show|show me|which|what|what are the|list all|list the|show the|which are the)? ?(?:all |the )?(?:blueprints|types of (?:things|entities)|kinds of (?:things|entities)|entity types|data model)(?: are there| exist| do we have)?$|^what (?:is|'s) in (?:the|our|my|this) (?:software )?catalog$|^what does the (?:software )?catalog (?:hold|contain)$/;
const actionVerbs =
  'run|execute|trigger|invoke|launch|scaffold|deploy|redeploy|restart|rollback|roll back|provision|promote|create|delete|remove|scale|rotate|restore|request|start|stop';

export function parseQuestion(text: string): Intent {
  const plain = text
    .trim()
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/[?!.\s]+$/, '');
  const lower = plain.toLowerCase();
  if (lower === '' || help.test(lower)) return { kind: 'help' };
  if (whoAmI.test(lower)) return { kind: 'who-am-i' };
  if (types.test(lower)) return { kind: 'list-blueprints' };
  const action = new RegExp(`^${please}(${actionVerbs})\\b\\s*(.*)$`).exec(lower);
  if (!action) return { kind: 'question' };
  return {
    kind: 'action',
    verb: action[1] ?? '',
    text: plain,
    rest: plain.slice(plain.length - (action[2] ?? '').length),
  };
}
