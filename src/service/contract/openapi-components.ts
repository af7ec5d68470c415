import { DailyActivity, PopularPublication, PublicationAnalytics, ScopeAnalytics } from './analytics.ts'
import { ApiKey } from './apikeys.ts'
import { Asset, AssetUpload } from './assets.ts'
import { Domain } from './domains.ts'
import { Authentication, ErrorContext, ErrorDetail, ErrorEnvelope, SuccessContext } from './envelope.ts'
import { MetadataKey } from './metadata-keys.ts'
import { Edition, EditionMetadata, NavigationItem, Publication, PublicationSummary } from './publication.ts'
import { ReaderInstance, ReaderInstanceSummary } from './reader-instances.ts'
import { ReaderUser, ReaderUserSummary } from './reader-users.ts'
import { UploadSession } from './uploads.ts'
import { Billing, User } from './user.ts'

/** The schemas that the OpenAPI document names; all others are inlined. */
export const components = {
  Context: SuccessContext,
  Authentication,
  User,
  Billing,
  ErrorEnvelope,
  ErrorContext,
  ErrorDetail,
  Publication,
  PublicationSummary,
  Edition,
  EditionMetadata,
  NavigationItem,
  UploadSession,
  Asset,
  AssetUpload,
  MetadataKey,
  Domain,
  ReaderInstance,
  ReaderInstanceSummary,
  ReaderUser,
  ReaderUserSummary,
  ScopeAnalytics,
  PopularPublication,
  PublicationAnalytics,
  DailyActivity,
  ApiKey,
}
