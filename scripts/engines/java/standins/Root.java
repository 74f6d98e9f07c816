package standins;

import static org.elasticsearch.rest.RestRequest.Method.GET;
import static org.elasticsearch.rest.RestRequest.Method.HEAD;

import java.util.List;
import org.elasticsearch.Build;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.cluster.service.ClusterService;
import org.elasticsearch.index.IndexVersion;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;
import org.elasticsearch.xcontent.XContentBuilder;

/** Stands in for the module that answers {@code GET /}, which is not published by itself. */
public final class Root extends BaseRestHandler {
    private final ClusterService cluster;

    public Root(ClusterService cluster) {
        this.cluster = cluster;
    }

    @Override
    public String getName() {
        return "main_action";
    }

    @Override
    public List<Route> routes() {
        return List.of(new Route(GET, "/"), new Route(HEAD, "/"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
        return channel -> {
            try (XContentBuilder body = channel.newBuilder()) {
                body.prettyPrint().startObject();
                body.field("name", cluster.getNodeName());
                body.field("cluster_name", cluster.getClusterName().value());
                body.field("cluster_uuid", cluster.state().metadata().clusterUUID());
                writeVersion(body, Build.current());
                body.field("tagline", "You Know, for Search").endObject();
                channel.sendResponse(new RestResponse(RestStatus.OK, body));
            }
        };
    }

    private static void writeVersion(XContentBuilder body, Build build) throws java.io.IOException {
        body.startObject("version");
        body.field("number", build.qualifiedVersion());
        body.field("build_flavor", build.flavor());
        body.field("build_type", build.type().displayName());
        body.field("build_hash", build.hash());
        body.field("build_date", build.date());
        body.field("build_snapshot", build.isSnapshot());
        body.field("lucene_version", IndexVersion.current().luceneVersion().toString());
        body.field("minimum_wire_compatibility_version", build.minWireCompatVersion());
        body.field("minimum_index_compatibility_version", build.minIndexCompatVersion());
        body.endObject();
    }
}
