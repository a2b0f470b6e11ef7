/** The closed lists of words that the grammar gives a meaning. What is in none of them has to come from the catalog. */

/** May stand before a name or a type without changing what is meant. */
export const determiners = new Set(['the', 'a', 'an', 'all', 'every', 'our', 'any', 'each', 'these', 'some']);

/** May stand between the parts of a condition. */
export const glue = new Set([
  ...[
    'and',
    ',',
    'that',
    'which',
    'who',
    'are',
    'is',
    'were',
    'was',
    'been',
    'being',
    'have',
    'has',
    'had',
    'currently',
  ],
  ...['now', 'there', 'whose', 'where', 'did', 'do', 'does'],
]);

/** How a list may be asked for. */
export const listStarts = [
  'which of the',
  'which are the',
  'what are the',
  'what are',
  'which are',
  'what were the',
  'which',
  'what',
  'list',
  'list all',
  'show',
  'show me',
  'show all',
  'find',
  'give me',
  'get',
  'tell me',
  'display',
  '',
];

/** May end a question without changing what is meant. */
export const tails = [
  '',
  'are there',
  'is there',
  'there are',
  'do we have',
  'have we got',
  'exist',
  'exist in the catalog',
  'are in the catalog',
  'in the catalog',
  'please',
  'right now',
  'now',
  'currently',
  'in total',
  'are there in total',
  'do you know',
  'were there',
  'happened',
  'did we have',
];

export const polite = [
  '',
  'please',
  'can you',
  'could you',
  'could you please',
  'can you please',
  'i want to know',
  'do you know',
];

/** Verbs that mean "depends on", where exactly one relation between the types means it too. */
export const dependVerbs = ['depend on', 'use', 'need', 'rely on', 'call', 'consume', 'require'];

export const mostWords = ['the most', 'most', 'the highest number of', 'the largest number of'];
export const fewestWords = ['the fewest', 'fewest', 'the least', 'the smallest number of'];

export const highestWords = ['highest', 'largest', 'biggest', 'greatest', 'most', 'longest', 'maximum'];
export const lowestWords = ['lowest', 'smallest', 'least', 'fewest', 'shortest', 'minimum'];
export const latestWords = ['latest', 'last', 'most recent', 'newest', 'youngest'];
export const oldestWords = ['oldest', 'earliest', 'first'];

/** Past forms that say when something of this kind began; others (as "launched") say something about the thing. */
export const beginnings = new Set(
  [
    'opened',
    'started',
    'created',
    'occurred',
    'happened',
    'detected',
    'reported',
    'raised',
    'published',
    'deployed',
  ].concat(['begun', 'triggered', 'submitted', 'released', 'begonnen']),
);

export const closureWords = [
  'directly or indirectly',
  'directly and indirectly',
  ', directly or indirectly',
  'indirectly or directly',
  'transitively',
  'at any depth',
];

export const countNumbers: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
};

/** Words that stand for types every organization has. */
export const typeSynonyms: Readonly<Record<string, readonly string[]>> = {
  _user: ['user', 'person', 'member', 'colleague'],
  _team: ['team', 'squad'],
  _ai_agent: ['agent'],
  _ai_invocations: ['invocation'],
};
