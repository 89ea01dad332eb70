/**
 * The messages of Spark Connect that dustpan speaks (spark/connect/*.proto of Spark 3.5 and 4), as protobuf's JSON
 * descriptor: plans are SQL, so this is all there is.
 */
type Fields = Readonly<Record<string, readonly [type: string, id: number, repeated?: "repeated"]>>;

const message = (fields: Fields, nested?: object, oneofs?: Readonly<Record<string, readonly string[]>>) => ({
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, [type, id, repeated]]) => [
      name,
      { type, id, ...(repeated && { rule: repeated }) },
    ]),
  ),
  ...(nested && { nested }),
  ...(oneofs && {
    oneofs: Object.fromEntries(Object.entries(oneofs).map(([name, oneof]) => [name, { oneof }])),
  }),
});

const session: Fields = { session_id: ["string", 1], user_context: ["UserContext", 2] };
const stageFields: Fields = {
  stage_id: ["int64", 1],
  num_tasks: ["int64", 2],
  num_completed_tasks: ["int64", 3],
  input_bytes_read: ["int64", 4],
  done: ["bool", 5],
};

export const sparkConnectDescriptor = {
  nested: {
    spark: {
      nested: {
        connect: {
          nested: {
            UserContext: message({ user_id: ["string", 1], user_name: ["string", 2] }),
            SQL: message({ query: ["string", 1] }),
            Relation: message({ sql: ["SQL", 10] }),
            SqlCommand: message({ sql: ["string", 1], input: ["Relation", 6] }),
            Command: message({ sql_command: ["SqlCommand", 5] }),
            Plan: message({ root: ["Relation", 1], command: ["Command", 2] }, undefined, {
              op_type: ["root", "command"],
            }),
            ReattachOptions: message({ reattachable: ["bool", 1] }),
            RequestOption: message({ reattach_options: ["ReattachOptions", 1] }),
            ExecutePlanRequest: message({
              ...session,
              plan: ["Plan", 3],
              client_type: ["string", 4],
              request_options: ["RequestOption", 5, "repeated"],
              operation_id: ["string", 6],
            }),
            ArrowBatch: message({ row_count: ["int64", 1], data: ["bytes", 2] }),
            ResultComplete: message({}),
            StageInfo: message(stageFields),
            ExecutionProgress: message({ stages: ["StageInfo", 1, "repeated"], num_inflight_tasks: ["int64", 2] }),
            ExecutePlanResponse: message({
              session_id: ["string", 1],
              arrow_batch: ["ArrowBatch", 2],
              response_id: ["string", 13],
              result_complete: ["ResultComplete", 14],
              execution_progress: ["ExecutionProgress", 18],
            }),
            ReattachExecuteRequest: message({
              ...session,
              operation_id: ["string", 3],
              client_type: ["string", 4],
              last_response_id: ["string", 5],
            }),
            ReleaseAll: message({}),
            ReleaseExecuteRequest: message({
              ...session,
              operation_id: ["string", 3],
              client_type: ["string", 4],
              release_all: ["ReleaseAll", 5],
            }),
            ReleaseExecuteResponse: message({ session_id: ["string", 1] }),
            InterruptRequest: message({
              ...session,
              client_type: ["string", 3],
              interrupt_type: ["int32", 4],
              operation_id: ["string", 6],
            }),
            InterruptResponse: message({ session_id: ["string", 1] }),
            ReleaseSessionRequest: message({ ...session, client_type: ["string", 3] }),
            ReleaseSessionResponse: message({ session_id: ["string", 1] }),
            SparkConnectService: {
              methods: {
                ExecutePlan: {
                  requestType: "ExecutePlanRequest",
                  responseType: "ExecutePlanResponse",
                  responseStream: true,
                },
                ReattachExecute: {
                  requestType: "ReattachExecuteRequest",
                  responseType: "ExecutePlanResponse",
                  responseStream: true,
                },
                ReleaseExecute: { requestType: "ReleaseExecuteRequest", responseType: "ReleaseExecuteResponse" },
                Interrupt: { requestType: "InterruptRequest", responseType: "InterruptResponse" },
                ReleaseSession: { requestType: "ReleaseSessionRequest", responseType: "ReleaseSessionResponse" },
              },
            },
          },
        },
      },
    },
  },
} as const;

/** INTERRUPT_TYPE_OPERATION_ID */
export const INTERRUPT_OPERATION = 3;

export interface StageInfo {
  readonly num_tasks: number;
  readonly num_completed_tasks: number;
  readonly done: boolean;
}

/** The parts of a response that are read. */
export interface ExecutePlanResponse {
  readonly response_id?: string;
  readonly arrow_batch?: { readonly row_count: number; readonly data: Uint8Array };
  readonly result_complete?: object;
  readonly execution_progress?: { readonly stages?: readonly StageInfo[]; readonly num_inflight_tasks?: number };
}
