import { waitHandler } from './wait-function.ts';

export const handler = waitHandler('park');
