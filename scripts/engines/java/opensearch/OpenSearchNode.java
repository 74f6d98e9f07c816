package opensearch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lifeline.Lifeline;
import org.opensearch.Version;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.PluginInfo;

/** One OpenSearch node in this process, with every module of a distribution that is on the class path. */
public final class OpenSearchNode extends Node {
    private static final List<String> MODULES = List.of(
        "org.opensearch.transport.Netty4ModulePlugin",
        "org.opensearch.analysis.common.CommonAnalysisModulePlugin",
        "org.opensearch.painless.PainlessModulePlugin",
        "org.opensearch.script.expression.ExpressionModulePlugin",
        "org.opensearch.script.mustache.MustacheModulePlugin",
        "org.opensearch.index.mapper.MapperExtrasModulePlugin",
        "org.opensearch.join.ParentJoinModulePlugin",
        "org.opensearch.percolator.PercolatorModulePlugin",
        "org.opensearch.index.rankeval.RankEvalModulePlugin",
        "org.opensearch.index.reindex.ReindexModulePlugin",
        "org.opensearch.ingest.common.IngestCommonModulePlugin",
        "org.opensearch.search.aggregations.matrix.MatrixAggregationModulePlugin",
        "org.opensearch.geo.GeoModulePlugin");

    private OpenSearchNode(Environment environment, List<PluginInfo> plugins) {
        super(environment, plugins, false);
    }

    public static void main(String[] arguments) throws Exception {
        Lifeline.hold(arguments, OpenSearchNode::open);
    }

    /**
     * @param arguments the settings, {@code name=value} each, and the plugins beside the modules,
     *     {@code plugin=class} or {@code plugin=class:class it extends}
     */
    private static Node open(List<String> arguments) throws Exception {
        Map<String, String> settings = new HashMap<>();
        List<PluginInfo> plugins = new ArrayList<>();
        for (String module : MODULES) plugins.add(describe(module));
        for (String argument : arguments) {
            String[] pair = argument.split("=", 2);
            if (pair[0].equals("plugin")) plugins.add(describe(pair[1]));
            else settings.put(pair[0], pair[1]);
        }
        String name = settings.get("node.name");
        Environment environment =
            InternalSettingsPreparer.prepareEnvironment(Settings.EMPTY, settings, null, () -> name);
        LogConfigurator.configure(environment);
        Node node = new OpenSearchNode(environment, plugins);
        node.start();
        return node;
    }

    /** A plugin that no descriptor describes, since it comes from the class path; it is named after its class. */
    private static PluginInfo describe(String plugin) {
        String[] parts = plugin.split(":", 2);
        List<String> extended = parts.length == 1 ? List.of() : List.of(parts[1]);
        return new PluginInfo(
            parts[0], "from the class path", "NA", Version.CURRENT, "21", parts[0], null, extended, false);
    }
}
