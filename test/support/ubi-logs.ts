/** Logs of User Behavior Insights with seven searches, as the records of `ubi_queries` and `ubi_events` are. */
interface UbiRecords {
  readonly queries: readonly object[]
  readonly events: readonly object[]
}

/**
 * Search q1 is of January 1, q2 of January 2 and so on. Of each but the last, the third of three documents was clicked, and the
 * second was bought. q4 and q5 are of the application `shop`, the others of `library`; q5 has no purchase.
 */
export function ubiLogs(): UbiRecords {
  const ids = ['q1', 'q2', 'q3', 'q4', 'q5', 'q6', 'q7']
  const common = (id: string, place: number) => ({
    query_id: id,
    client_id: 'b1',
    application: ['q4', 'q5'].includes(id) ? 'shop' : 'library',
    timestamp: Date.UTC(2026, 0, place + 1),
  })
  const event = (id: string, place: number, action: string, letter: string, ordinal: number) => ({
    ...common(id, place),
    session_id: 's1',
    action_name: action,
    message_type: 'INFO',
    message: action,
    event_attributes: {
      object: { object_id: `${id}-${letter}`, object_id_field: '_id' },
      position: { ordinal },
    },
  })
  return {
    queries: ids.map((id, place) => ({
      ...common(id, place),
      user_query: `words of ${id}`,
      query: `{"query":{"match":{"title":"words of ${id}"}}}`,
      query_response_id: `response-${id}`,
      query_response_hit_ids: ['a', 'b', 'c'].map((letter) => `${id}-${letter}`),
      query_attributes: {},
    })),
    events: [
      ...ids.slice(0, -1).flatMap((id, place) => [
        event(id, place, 'click', 'c', 3),
        event(id, place, id === 'q5' ? 'hover' : 'purchase', 'b', 2),
        // Of the page, not of a document.
        { ...common(id, place), action_name: 'scroll', event_attributes: { position: { scroll_depth: 3 } } },
      ]),
      event('gone', 0, 'click', 'a', 1),
    ],
  }
}
