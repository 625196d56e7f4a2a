/** The published contract as zod schemas. The package ships them without types; these are the ones used here. */
declare module 'discord-api-spec/zod' {
  import type { ZodMiniType } from 'zod/mini';

  type Schema = ZodMiniType;
  export const ApplicationCommandCreateRequestSchema: Schema;
  export const ApplicationCommandPatchRequestPartialSchema: Schema;
  export const ApplicationCommandResponseSchema: Schema;
  export const BaseCreateMessageCreateRequestSchema: Schema;
  export const CreateForumThreadRequestSchema: Schema;
  export const CreatePrivateChannelRequestSchema: Schema;
  export const CreateTextThreadWithMessageRequestSchema: Schema;
  export const CreateRoleRequestSchema: Schema;
  export const CreatedThreadResponseSchema: Schema;
  export const ErrorResponseSchema: Schema;
  export const GatewayBotResponseSchema: Schema;
  export const GuildChannelResponseSchema: Schema;
  export const GuildMemberResponseSchema: Schema;
  export const GuildRoleResponseSchema: Schema;
  export const GuildWithCountsResponseSchema: Schema;
  export const IncomingWebhookInteractionRequestSchema: Schema;
  export const IncomingWebhookUpdateRequestPartialSchema: Schema;
  export const InteractionCallbackResponseSchema: Schema;
  export const MessageCreateRequestSchema: Schema;
  export const MessageEditRequestPartialSchema: Schema;
  export const MessageResponseSchema: Schema;
  export const MyGuildResponseSchema: Schema;
  export const ModalInteractionCallbackRequestDataSchema: Schema;
  export const PrivateApplicationResponseSchema: Schema;
  export const PrivateChannelResponseSchema: Schema;
  export const ThreadResponseSchema: Schema;
  export const ThreadsResponseSchema: Schema;
  export const UpdateGuildChannelRequestPartialSchema: Schema;
  export const UpdateThreadRequestPartialSchema: Schema;
  export const UserPIIResponseSchema: Schema;
  export const UserResponseSchema: Schema;
}
