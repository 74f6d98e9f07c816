package elasticsearch.v8;

import elasticsearch.ElasticsearchNode;
import java.util.Map;
import lifeline.Lifeline;
import org.elasticsearch.env.Environment;
import org.elasticsearch.plugins.PluginsLoader;

/** Starts a node of Elasticsearch 8. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        Lifeline.hold(arguments, settings -> ElasticsearchNode.start(settings, Main::modules));
    }

    private static PluginsLoader modules(Environment environment) {
        return PluginsLoader.createPluginsLoader(
            PluginsLoader.loadModulesBundles(environment.modulesDir()),
            PluginsLoader.loadPluginsBundles(environment.pluginsDir()),
            Map.of(),
            false);
    }
}
