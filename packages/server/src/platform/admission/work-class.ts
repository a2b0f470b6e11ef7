import type { OperationClass } from '@portolan/contract/operation';

/**
 * What work is for, which decides its priority: keeping the platform alive, interactive requests, events of other
 * systems, bulk work, streams, and background.
 */
export type WorkClass = OperationClass | 'background';
