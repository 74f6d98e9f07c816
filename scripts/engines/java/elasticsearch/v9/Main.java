package elasticsearch.v9;

import elasticsearch.ElasticsearchNode;
import java.util.Map;
import lifeline.Lifeline;
import org.elasticsearch.env.Environment;
import org.elasticsearch.plugins.PluginsLoader;

/** Starts a node of Elasticsearch 9. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        Lifeline.hold(arguments, settings -> ElasticsearchNode.start(settings, Main::modules));
    }

    private static PluginsLoader modules(Environment environment) {
        return PluginsLoader.createPluginsLoader(
            PluginsLoader.loadModulesBundles(environment.modulesDir(), true),
            PluginsLoader.loadPluginsBundles(environment.pluginsDir(), true),
            Map.of(),
            false);
    }
}
