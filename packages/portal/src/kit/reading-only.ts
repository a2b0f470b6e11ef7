import { createContext } from 'react';

/**
 * Whether everything around is for reading: code cannot be changed, and shortcuts of what is shown do nothing. A
 * `fieldset` turns off native controls alone.
 */
export const ReadingOnly = createContext(false);
