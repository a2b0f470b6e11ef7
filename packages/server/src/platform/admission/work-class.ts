import type { OperationClass } from '@portolan/contract';

/**
 * What work is for, which decides who waits for whom: what keeps the platform alive, what a person waits for, large
 * amounts, streams, and what nobody waits for.
 */
export type WorkClass = 'control' | OperationClass | 'background';
