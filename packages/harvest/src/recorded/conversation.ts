import type { Message, StopReason } from '@pab/model';

/** What a recording of a chat holds, whatever its format. */
export interface Conversation {
  readonly messages: readonly Message[];
  readonly model: string | null;
  /** Set where the recording says why it ended otherwise than by a text or a call. */
  readonly stop: StopReason | null;
  /** The provider's error, where the recording has one. */
  readonly error: string | null;
}
